import type { SqlMigration } from '@gateway/persistence';

/** What live providers said they hold, beside the books, when they were last asked; and what explains a difference. */
export const providerBalanceTables: SqlMigration = {
  name: '0012-provider-balances',
  indexes: [
    { name: 'payment_refused', on: `payment (provider) where state = 'REFUSED'` },
    { name: 'deposit_gathering', on: `deposit (provider) where state = 'PENDING' and received > 0` },
  ],
  sql: `
    create table provider_balance (
      provider text collate "C" not null,
      currency text collate "C" not null,
      held bigint,
      booked bigint,
      -- Our own money there, which the ledger knows nothing of.
      own_funds bigint,
      in_flight jsonb not null default '[]',
      difference bigint,
      differs_since timestamptz(3),
      -- Of the last comparison that came about; the first attempt while there is none.
      compared_at timestamptz(3) not null,
      problem text,
      primary key (provider, currency)
    );
    -- One row: when the next round is due, whoever makes it.
    create table provider_balance_round (due_at timestamptz(3) not null);
    insert into provider_balance_round values (now());
  `,
};
