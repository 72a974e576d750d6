import type { SqlMigration } from '@gateway/persistence';

/** When an exchange was last asked for what it holds; `compared_at` stays where that came to nothing. */
export const treasuryAttempts: SqlMigration = {
  name: '0013-treasury-attempts',
  sql: `alter table treasury_balance add column tried_at timestamptz(3);`,
};
