import type { SqlMigration } from '@gateway/persistence';

/** Until when the ledger may decide a conversion at its rate; null for those that were claimed before there was a limit. */
export const conversionDeadline: SqlMigration = {
  name: '0006-conversion-deadline',
  sql: `alter table conversion add column not_after timestamptz(3);`,
};
