import type { SqlMigration } from '@gateway/persistence';

/**
 * Operators find refunds, orphan receipts and disputes by what others call them, and see in which trace a record was made.
 * Merchants find the disputes whose evidence is due.
 */
export const foundAndTraced: SqlMigration = {
  name: '0028-found-and-traced',
  indexes: [
    { name: 'refund_by_e2e_id', on: 'refund (e2e_id)' },
    { name: 'refund_by_return_id', on: 'refund (return_id) where return_id is not null' },
    { name: 'refund_by_external_id', on: 'refund (external_id)' },
    { name: 'orphan_receipt_by_e2e_id', on: 'orphan_receipt (e2e_id)' },
    { name: 'orphan_receipt_by_return_id', on: 'orphan_receipt (return_id) where return_id is not null' },
    { name: 'dispute_by_e2e_id', on: 'dispute (e2e_id)' },
    { name: 'dispute_by_external_id', on: 'dispute (external_id)' },
    { name: 'dispute_evidence_until', on: 'dispute (defense_due_at) where resolved_at is null' },
  ],
  sql: `
    alter table deposit add column trace_id text;
    alter table refund add column trace_id text;
    alter table dispute add column trace_id text;
  `,
};
