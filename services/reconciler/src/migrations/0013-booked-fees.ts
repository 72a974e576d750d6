import type { SqlMigration } from '@gateway/persistence';

/** What the ledger has booked as a fee: a record that says another one later is found when it is read again. */
export const bookedFees: SqlMigration = {
  name: '0013-booked-fees',
  sql: `alter table fact add column fee bigint;`,
};
