import type { SqlMigration } from '@gateway/persistence';

/** Until when every event that was published is in the totals: one row. */
export const totalsRead: SqlMigration = {
  name: '0011-totals-read',
  sql: `
    create table hour_total_read (
      one_row boolean primary key default true check (one_row),
      complete_until timestamptz not null
    );
    insert into hour_total_read (complete_until) values (now());
  `,
};
