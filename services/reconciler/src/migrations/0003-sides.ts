import type { SqlMigration } from '@gateway/persistence';

/**
 * What is asked again: matches whose record and ledger differ, of which there are none while all is well, and adjustments
 * that no audit row has confirmed yet. Deliveries are looked up in the order in which the ledger has decided.
 */
export const sides: SqlMigration = {
  name: '0003-sides',
  indexes: [
    {
      name: 'match_differs',
      on: `match (environment, first_seen_at) where state = 'waiting' and r_amount <> l_amount`,
    },
    { name: 'fact_by_sequence', on: `fact (environment, sequence) where side = 'L'` },
  ],
  sql: `
    create table adjustment (
      environment text not null check (environment in ('live', 'test')),
      id text not null,
      account_id text not null,
      currency text not null,
      amount bigint not null,
      decided_at timestamptz not null,
      checked_at timestamptz,
      primary key (environment, id)
    );
    create index adjustment_not_checked on adjustment (decided_at) where checked_at is null;
  `,
};
