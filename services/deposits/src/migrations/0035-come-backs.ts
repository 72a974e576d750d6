import type { SqlMigration } from '@gateway/persistence';

/**
 * `come_backs`: how often a refund has come back; each time is a step of its own at the ledger. `come_back`: what its provider
 * said of one that came back while the balance had still to pay for it again, null once that is done.
 */
export const comeBacks: SqlMigration = {
  name: '0035-come-backs',
  sql: `
    alter table refund
      add column come_backs integer not null default 0,
      add column come_back jsonb;
    update refund set come_backs = 1 where came_back_at is not null;
  `,
};
