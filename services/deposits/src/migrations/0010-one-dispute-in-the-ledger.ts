import type { SqlMigration } from '@gateway/persistence';

/** What is lost in part is settled under the dispute's own id; only those settled before have a second one. */
export const oneDisputeInTheLedger: SqlMigration = {
  name: '0010-one-dispute-in-the-ledger',
  sql: `update dispute set lost_id = null where state not in ('WON', 'LOST');`,
};
