import type { SqlMigration } from '@gateway/persistence';

/** What the hosted page of a deposit says it is for, and where it sends the payer back to. */
export const paymentPageColumns: SqlMigration = {
  name: '0023-payment-page',
  sql: `
    alter table deposit add column return_url text, add column description text;
  `,
};
