import type { SqlMigration } from '@gateway/persistence';

/** Fees and limits of a currency in place of the account's, by the currency's code. */
export const currencyTerms: SqlMigration = {
  name: '0016-currency-terms',
  sql: `alter table account add column currency_terms jsonb not null default '{}' check (jsonb_typeof(currency_terms) = 'object');`,
};
