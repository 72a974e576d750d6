import type { SqlMigration } from '@gateway/persistence';

/** An account at an exchange: what it holds, its orders and what they bought. Amounts are exact decimals. */
export const exchange: SqlMigration = {
  name: '0006-exchange',
  sql: `
    create table exchange_balance (
      currency text primary key,
      total numeric not null check (total >= 0)
    );
    insert into exchange_balance values ('brl', 100000000), ('mxn', 100000000), ('usdt', 0);
    create table exchange_market (
      book text primary key,
      ask numeric not null check (ask > 0),
      taker_fee numeric not null,
      minimum_amount numeric not null,
      minimum_value numeric not null,
      tick_size numeric not null,
      -- How much is offered to the next orders; null for as much as is asked for.
      offered numeric,
      is_open boolean not null default true
    );
    insert into exchange_market values
      ('usdt_brl', 5.38, 0.001, 0.1, 1, 0.01, null, true), ('usdt_mxn', 18.4, 0.001, 0.1, 10, 0.01, null, true);
    create table exchange_order (
      oid text primary key,
      origin_id text,
      book text not null references exchange_market (book),
      side text not null,
      major numeric not null,
      price numeric not null,
      status text not null check (status in ('completed', 'cancelled')),
      created_at timestamptz not null
    );
    create unique index exchange_order_origin on exchange_order (origin_id);
    create table exchange_trade (
      tid bigint generated always as identity primary key,
      oid text not null references exchange_order (oid),
      major numeric not null,
      minor numeric not null,
      price numeric not null,
      fee numeric not null,
      created_at timestamptz not null
    );
    create index exchange_trade_order on exchange_trade (oid);
  `,
};
