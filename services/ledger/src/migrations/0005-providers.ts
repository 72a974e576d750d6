import type { SqlMigration } from '@gateway/persistence';

/**
 * The providers this ledger was told of by its configuration; a row is never removed. Where money was booked before there
 * was a table, it was told of as well. Test mode has the sandbox and nothing else.
 */
export const providers: SqlMigration = {
  name: '0005-providers',
  sql: `
    create table provider (
      environment text collate "C" not null check (environment in ('live', 'test')),
      id text collate "C" not null,
      told_at timestamptz(3) not null default now(),
      primary key (environment, id)
    );
    insert into provider (environment, id) values ('test', 'sandbox');
    insert into provider (environment, id)
      select distinct environment, substr(account, length('provider:') + 1) from system_balance
      where account like 'provider:%'
    on conflict do nothing;
  `,
};
