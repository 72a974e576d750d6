import type { SqlMigration } from '@gateway/persistence';

/** Of which resets of a sign-in the people of an account are notified: every page of the merchants' console asks. */
export const notifiedRecoveries: SqlMigration = {
  name: '0046-notified-recoveries',
  indexes: [{ name: 'approval_notified', on: `approval (created_at) where kind = 'account.recover-person'` }],
};
