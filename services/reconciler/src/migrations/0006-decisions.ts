import type { SqlMigration } from '@gateway/persistence';

/**
 * What operators look for: open exceptions, those of an account, and lines that people gave to a record. Sums of lines by
 * the day of their booking, in São Paulo, are kept as lines come, so that a day is closed without reading its lines; what
 * comes for a closed day, or is corrected in one, is found as the difference to what was closed. A closed day never
 * changes.
 */
export const decisions: SqlMigration = {
  name: '0006-decisions',
  indexes: [
    { name: 'exception_open', on: `exception (id) where state in ('OPEN', 'PROPOSED')` },
    { name: 'exception_of_account', on: `exception (account_id, id) where account_id is not null` },
    { name: 'line_pinned', on: `line (pinned_subject) where pinned_subject is not null` },
    { name: 'line_in_batch', on: `line (batch_key) where batch_key is not null` },
  ],
  sql: `
    create table line_day (
      provider text not null,
      currency text not null,
      day date not null,
      amount bigint not null,
      primary key (provider, currency, day)
    ) with (fillfactor = 70);
    insert into line_day
      select provider, currency, (booked_at at time zone 'America/Sao_Paulo')::date, sum(amount) from line
      where batch_key is null group by 1, 2, 3;

    alter table day_close
      -- Of all lines up to the end of the day, when it was closed: what is more by now came late.
      add column booked bigint not null default 0,
      add column late bigint not null default 0;
    create function keep_closed_day() returns trigger language plpgsql as $keep$
    begin
      raise exception 'a closed day never changes';
    end $keep$;
    create trigger keep_closed_day before update or delete on day_close for each row execute function keep_closed_day();
  `,
};
