import type { SqlMigration } from '@gateway/persistence';

/**
 * Two commands of one sum that name one approval are two rows, of which it explains the one that it was given for. What was
 * booked before has the kind that its id is of; where one row stands for two, a rebuild adds the other.
 */
export const kindsOfAdjustments: SqlMigration = {
  name: '0015-kinds-of-adjustments',
  sql: `
    alter table adjustment add column kind text;
    update adjustment set kind = case when id ~ '^(adj|exc)_' then 'adjust' else 'own-funds' end;
    alter table adjustment alter column kind set not null, drop constraint adjustment_pkey,
      add primary key (environment, kind, id, account_id, currency, amount);
  `,
};
