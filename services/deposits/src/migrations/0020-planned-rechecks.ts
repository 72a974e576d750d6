import type { SqlMigration } from '@gateway/persistence';

/** When a recheck was planned for stays when it is put off: how far it is overdue is what operators are alerted by. */
export const plannedRechecks: SqlMigration = {
  name: '0020-planned-rechecks',
  sql: `
    alter table refund add column recheck_planned_at timestamptz(3);
    update refund set recheck_planned_at = recheck_at where recheck_at is not null;
    create index refund_recheck_planned on refund (recheck_planned_at) where recheck_at is not null;

    alter table orphan_receipt add column recheck_planned_at timestamptz(3);
    update orphan_receipt set recheck_planned_at = recheck_at where recheck_at is not null;
    create index orphan_receipt_recheck_planned on orphan_receipt (recheck_planned_at) where recheck_at is not null;
  `,
};
