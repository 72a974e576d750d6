import type { SqlMigration } from '@gateway/persistence';

/**
 * BACEN makes the id of a return unique within its payment: the returns of two payments may have the same one. What a
 * process of the release before has written meanwhile names no payment ('') and counts as before, by its id alone.
 */
export const returnsByTheirPayment: SqlMigration = {
  name: '0033-returns-by-their-payment',
  indexes: [
    { name: 'dispute_round_0033', unique: true, on: 'dispute (dispute_ref, e2e_id, environment, provider, round)' },
  ],
  sql: `
    alter table dispute
      drop constraint dispute_round_once,
      add constraint dispute_round_once unique using index dispute_round_0033;
    alter table dispute_return add column e2e_id text collate "C" not null default '';
    update dispute_return as counted set e2e_id = dispute.e2e_id from dispute
    where dispute.environment = counted.environment and dispute.account_id = counted.account_id
      and dispute.id = counted.dispute_id;
    alter table dispute_return
      drop constraint dispute_return_pkey,
      add primary key (return_id, e2e_id, environment, provider);
    alter table dispute_lookup
      drop constraint dispute_lookup_pkey,
      add primary key (dispute_ref, e2e_id, environment, provider);
  `,
};
