import type { SqlMigration } from '@gateway/persistence';

/**
 * A statement in files is that of one account: the names that it goes by, as the formats write it. Of files that were imported
 * before, the first of each format says whose it is.
 *
 * A day of an account comes from the provider's list or from a file. Where a provider changes from one to the other, the
 * periods say which days are whose; without periods all days are those of `statement_source`.
 */
export const kindsOfDays: SqlMigration = {
  name: '0010-kinds-of-days',
  sql: `
    create table statement_account (
      provider text not null,
      currency text not null,
      account text not null,
      file_id text not null,
      accepted_at timestamptz not null,
      primary key (provider, currency, account)
    );
    insert into statement_account
      select distinct on (provider, currency, format) provider, currency, summary ->> 'account', id, received_at
      from statement_file where state = 'IMPORTED' and summary ->> 'account' is not null
      order by provider, currency, format, id
    on conflict do nothing;
    alter table statement_file add column account text;

    create table statement_period (
      provider text not null,
      currency text not null,
      from_day date not null,
      kind text not null check (kind in ('list', 'file')),
      primary key (provider, currency, from_day)
    );
    create function statement_kind(text, text, date) returns text language sql stable as $kind$
      select coalesce(
        (select kind from statement_period
         where provider = $1 and currency = $2 and from_day <= $3 order by from_day desc limit 1),
        (select kind from statement_source where provider = $1 and currency = $2))
    $kind$;
  `,
};
