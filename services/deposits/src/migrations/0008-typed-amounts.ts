import type { SqlMigration } from '@gateway/persistence';

export const typedAmounts: SqlMigration = {
  name: '0008-typed-amounts',
  sql: `
    alter table deposit
      add column clabe text,
      -- Sum of the transfers that have arrived and are not credited yet.
      add column received bigint not null default 0 check (received >= 0),
      -- What the fee is worked out from where another amount than the charged one may arrive.
      add column fee_schedule jsonb;

    -- What arrived on charges whose amount the payer types: several transfers may make up one payment.
    create table transfer (
      environment text collate "C" not null check (environment in ('live', 'test')),
      provider text collate "C" not null,
      e2e_id text collate "C" not null,
      account_id text collate "C" not null,
      deposit_id text collate "C" not null,
      currency text not null,
      amount bigint not null check (amount > 0),
      payer_details jsonb not null,
      paid_at timestamptz(3) not null,
      primary key (environment, provider, e2e_id),
      foreign key (environment, account_id, deposit_id) references deposit (environment, account_id, id)
    );
    create index transfer_of_deposit on transfer (environment, account_id, deposit_id);
  `,
};
