import type { SqlMigration } from '@gateway/persistence';

/** Operators read conversions of all accounts by id, and in the order of their ids. */
export const conversionById: SqlMigration = {
  name: '0009-conversion-by-id',
  sql: `create unique index conversion_by_id on conversion (id);`,
};
