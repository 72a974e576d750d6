import type { SqlMigration } from '@gateway/persistence';

/** Operators list and retry them by id. */
export const orphanReceiptIds: SqlMigration = {
  name: '0009-orphan-receipt-ids',
  sql: `
    create unique index orphan_receipt_id_once on orphan_receipt (id);
    create index orphan_receipt_of_deposit on orphan_receipt (deposit_id, id);
  `,
};
