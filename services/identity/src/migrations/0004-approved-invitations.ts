import type { SqlMigration } from '@gateway/persistence';

/** Who agreed to an invitation or a reset that took two, and was shown its link. */
export const approvedInvitations: SqlMigration = {
  name: '0004-approved-invitations',
  sql: 'alter table invitation add column approved_by text',
};
