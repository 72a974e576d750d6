import type { SqlMigration } from '@gateway/persistence';

/** The people of an account read what was done in it, and who read of it, of the whole trail of all accounts. */
export const auditByAccount: SqlMigration = {
  name: '0038-audit-by-account',
  indexes: [{ name: 'audit_of_account', on: 'audit (account_id, kind, id desc) where account_id is not null' }],
};
