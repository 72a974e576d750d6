import type { SqlMigration } from '@gateway/persistence';

/** Tests name a charge without its dialect. */
export const chargeNames: SqlMigration = {
  name: '0008-charge-names',
  indexes: [{ name: 'charge_by_reference', on: 'charge (reference)' }],
};
