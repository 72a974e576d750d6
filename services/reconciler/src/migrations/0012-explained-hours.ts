import type { SqlMigration } from '@gateway/persistence';

/**
 * How many matches that could be explained from a given hour on were explained, and how many of them in time; and how many
 * lines a provider has booked in it, and of how many we learned late. A match is counted when its sides come to agree. What
 * is matched anew by a rebuild was counted before: from then on counts what begins after it.
 */
export const explainedHours: SqlMigration = {
  name: '0012-explained-hours',
  sql: `
    create table explained_hour (
      environment text not null check (environment in ('live', 'test')),
      provider text not null,
      currency text not null,
      hour timestamptz not null,
      explained bigint not null default 0,
      in_time bigint not null default 0,
      lines bigint not null default 0,
      late_lines bigint not null default 0,
      primary key (environment, provider, currency, hour),
      constraint explained_hour_in_time check (in_time between 0 and explained and late_lines between 0 and lines)
    ) with (fillfactor = 50);
    create table explained_since (
      id boolean primary key default true check (id),
      counted_from timestamptz not null
    );
  `,
};
