import type { SqlMigration } from '@gateway/persistence';

/** What was found when live providers' balances were last compared with what is booked there. */
export const providerBalanceTable: SqlMigration = {
  name: '0003-provider-balances',
  sql: `
    create table provider_balance (
      provider text collate "C" not null,
      currency text collate "C" not null,
      difference bigint,
      differs_since timestamptz(3),
      compared_at timestamptz(3) not null,
      problem text,
      primary key (provider, currency)
    );
  `,
};
