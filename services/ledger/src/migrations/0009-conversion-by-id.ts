import type { SqlMigration } from '@gateway/persistence';

/** Operators read conversions of all accounts by id, and in the order of their ids. */
export const conversionById: SqlMigration = {
  name: '0009-conversion-by-id',
  indexes: [{ name: 'conversion_by_id', unique: true, on: 'conversion (id)' }],
};
