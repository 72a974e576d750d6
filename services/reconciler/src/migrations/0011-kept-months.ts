import type { SqlMigration } from '@gateway/persistence';

/** From when on lines, facts and matches are kept: what is explained and older was removed. No row: nothing ever was. */
export const keptMonths: SqlMigration = {
  name: '0011-kept-months',
  sql: `
    create table kept_months (
      id boolean primary key default true check (id),
      kept_from timestamptz not null
    );
  `,
};
