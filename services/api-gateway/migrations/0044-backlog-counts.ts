import type { SqlMigration } from '@gateway/persistence';

/**
 * How much each service had to work off, counted every five minutes and kept for a month. A service that did not answer has no row:
 * nothing is known of it then. It is for people who look at pictures; nothing of it is truth.
 */
export const backlogCounts: SqlMigration = {
  name: '0044-backlog-counts',
  sql: `
    create table backlog_count (
      -- The beginning of the five minutes.
      at timestamptz(0) not null,
      service text collate "C" not null,
      kind text collate "C" not null,
      environment text collate "C" not null check (environment in ('live', 'test', 'both')),
      count bigint not null check (count >= 0),
      primary key (at, service, kind, environment)
    );
  `,
};
