import type { SqlMigration } from '@gateway/persistence';

/** What two operators said of a dispute whose provider contradicted itself, with their evidence. */
export const disputeResolutions: SqlMigration = {
  name: '0018-dispute-resolutions',
  sql: 'alter table dispute add column resolution jsonb;',
};
