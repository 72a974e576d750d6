import type { SqlMigration } from '@gateway/persistence';

/**
 * Quotes never change. A quote is used when a conversion names it, and the constraint lets only one do so. A conversion
 * is claimed (CONVERTING) before its command is sent, and nobody sees it before it is COMPLETED; a refused one is gone.
 */
export const conversionTables: SqlMigration = {
  name: '0002-conversions',
  sql: `
    create table quote (
      environment text collate "C" not null check (environment in ('live', 'test')),
      id text collate "C" not null,
      account_id text collate "C" not null,
      from_currency text not null,
      to_currency text not null,
      from_amount bigint not null check (from_amount > 0),
      to_amount bigint not null check (to_amount > 0),
      rate text not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      primary key (environment, id)
    );
    create index quote_age on quote (created_at);

    create table conversion (
      environment text collate "C" not null check (environment in ('live', 'test')),
      account_id text collate "C" not null,
      id text collate "C" not null,
      external_id text collate "C" not null,
      quote_id text collate "C",
      state text not null check (state in ('CONVERTING', 'COMPLETED')),
      from_currency text not null,
      to_currency text not null,
      from_amount bigint not null check (from_amount > 0),
      to_amount bigint not null check (to_amount > 0),
      rate text not null,
      created_at timestamptz(3) not null,
      primary key (environment, account_id, id),
      constraint conversion_external_id_once unique (environment, account_id, external_id),
      constraint conversion_quote_once unique (environment, quote_id)
    );
    create index conversion_unfinished on conversion (created_at) where state = 'CONVERTING';
  `,
};
