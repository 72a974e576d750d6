import type { SqlMigration } from '@gateway/persistence';

/** What exchanges hold for us beside what is booked there, as of the last comparison; minor units. */
export const treasuryBalances: SqlMigration = {
  name: '0011-treasury-balances',
  sql: `
    create table treasury_balance (
      venue text collate "C" not null,
      currency text not null,
      held bigint,
      booked bigint,
      own_funds bigint,
      difference bigint,
      differs_since timestamptz(3),
      compared_at timestamptz(3) not null,
      problem text,
      primary key (venue, currency)
    );
  `,
};
