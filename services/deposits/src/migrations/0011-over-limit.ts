import type { SqlMigration } from '@gateway/persistence';

/** A transfer that would make a payment larger than any credit goes back as well. */
export const overLimit: SqlMigration = {
  name: '0011-over-limit',
  sql: `
    alter table orphan_receipt
      drop constraint orphan_receipt_cause_check,
      add constraint orphan_receipt_cause_check
        check (cause in ('canceled', 'second_payment', 'within_fee', 'over_limit'));
  `,
};
