import type { SqlMigration } from '@gateway/persistence';

/** Since when an adjustment waits for the ledger: what was approved and never finished is found by it. */
export const adjustmentApprovedAt: SqlMigration = {
  name: '0005-adjustment-approved-at',
  sql: `
    alter table adjustment add column approved_at timestamptz;
    create index adjustment_unfinished on adjustment (id) where status = 'PROPOSED' and approved_by is not null;
  `,
};
