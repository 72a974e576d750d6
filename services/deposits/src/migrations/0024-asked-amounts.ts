import type { SqlMigration } from '@gateway/persistence';

/** What a merchant asked for stays known where the payer types the amount and another one may be credited. */
export const askedAmounts: SqlMigration = {
  name: '0024-asked-amounts',
  sql: `
    alter table deposit
      -- Null where the amount is the charge's own; and for deposits that were paid before this column was there.
      add column asked bigint check (asked > 0),
      -- Whose account the charge's account number is, where the provider says so.
      add column beneficiary text;
    update deposit set asked = amount where payment_method = 'SPEI' and state in ('CREATING', 'PENDING', 'EXPIRED');
  `,
};
