import type { SqlMigration } from '@gateway/persistence';

/** Operators list and retry them by id. */
export const orphanReceiptIds: SqlMigration = {
  name: '0009-orphan-receipt-ids',
  indexes: [
    { name: 'orphan_receipt_id_once', unique: true, on: 'orphan_receipt (id)' },
    { name: 'orphan_receipt_of_deposit', on: 'orphan_receipt (deposit_id, id)' },
  ],
};
