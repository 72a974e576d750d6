import type { SqlMigration } from '@gateway/persistence';

/** Of two commands that name one approval each is compared with it: what they have booked is a part of what names a row. */
export const eachAdjustment: SqlMigration = {
  name: '0014-each-adjustment',
  sql: `
    alter table adjustment drop constraint adjustment_pkey,
      add primary key (environment, id, account_id, currency, amount);
  `,
};
