import type { SqlMigration } from '@gateway/persistence';

/**
 * How many events of each name were about a provider in an hour, and what their records add up to; of all accounts together,
 * since operators ask for it. It begins with the first event that names its provider.
 */
export const providerTotals: SqlMigration = {
  name: '0013-provider-totals',
  sql: `
    create table hour_provider_total (
      environment text not null check (environment in ('live', 'test')),
      provider text not null,
      hour timestamptz not null,
      event text not null,
      currency text not null,
      count bigint not null check (count > 0),
      amount bigint not null check (amount >= 0),
      primary key (environment, hour, provider, event, currency)
    ) with (fillfactor = 70);
  `,
};
