import type { SqlMigration } from '@gateway/persistence';

/**
 * How many events of each name an account had in an hour, and what their records add up to.
 *
 * - `hour_total` has the sums. An hour is that in which an event was true, whenever it was recorded.
 * - `hour_total_position` is how far an account's log was added up. Both are written together, so that each event counts
 *   once; without rows the log is added up from its beginning, as far as it is kept.
 */
export const totals: SqlMigration = {
  name: '0010-totals',
  sql: `
    create table hour_total (
      environment text not null check (environment in ('live', 'test')),
      account_id text not null,
      hour timestamptz not null,
      event text not null,
      currency text not null,
      count bigint not null check (count > 0),
      amount bigint not null check (amount >= 0),
      primary key (environment, account_id, hour, event, currency)
    ) with (fillfactor = 70);
    create index hour_total_of_all on hour_total (environment, hour);

    create table hour_total_position (
      environment text not null,
      account_id text not null,
      seq bigint not null check (seq > 0),
      primary key (environment, account_id)
    ) with (fillfactor = 50);
  `,
};
