import type { SqlMigration } from '@gateway/persistence';

/**
 * A match has what each side says of one subject: how many items, and their sum. It is explained when the sums agree, so
 * its row is all a decision needs. `match_side` keeps what a match consisted of that had been explained and is no longer.
 * An exception has the sums that it was opened with, those that operators see and decide about.
 */
export const matches: SqlMigration = {
  name: '0002-matches',
  sql: `
    create table match (
      environment text not null check (environment in ('live', 'test')),
      provider text not null,
      currency text not null,
      subject text not null,
      kind text not null,
      state text not null check (state in ('waiting', 'matched', 'unexplained', 'proposed', 'resolved')),
      account_id text,
      p_items integer not null check (p_items >= 0),
      p_amount bigint not null,
      r_items integer not null check (r_items >= 0),
      r_amount bigint not null,
      l_items integer not null check (l_items >= 0),
      l_amount bigint not null,
      needs_line boolean not null,
      first_seen_at timestamptz not null,
      deadline_at timestamptz not null,
      matched_at timestamptz,
      primary key (environment, provider, currency, subject)
    ) with (fillfactor = 80);
    create index match_waiting on match (deadline_at) where state = 'waiting';
    create index match_unexplained on match (provider, currency) where state in ('unexplained', 'proposed');

    create table match_side (
      id bigint generated always as identity primary key,
      environment text not null,
      provider text not null,
      currency text not null,
      subject text not null,
      side text not null check (side in ('P', 'R', 'L')),
      items integer not null,
      amount bigint not null,
      matched_at timestamptz not null,
      fell_back_at timestamptz not null
    );
    create index match_side_of on match_side (subject);

    create table exception (
      id text primary key,
      environment text not null check (environment in ('live', 'test')),
      provider text not null,
      currency text not null,
      subject text not null,
      reason text not null,
      amount bigint not null,
      p_amount bigint not null,
      r_amount bigint not null,
      l_amount bigint not null,
      account_id text,
      state text not null check (state in ('OPEN', 'PROPOSED', 'RESOLVED', 'EXPLAINED')),
      opened_at timestamptz not null,
      assigned_to text,
      proposal jsonb,
      proposed_by text,
      proposed_at timestamptz,
      resolved_by text,
      resolved_at timestamptz,
      note text,
      constraint exception_by_two check (resolved_by <> proposed_by),
      constraint exception_resolved check (state <> 'RESOLVED' or (resolved_by is not null and proposed_by is not null))
    );
    create unique index exception_open_once on exception (environment, provider, currency, subject)
      where state in ('OPEN', 'PROPOSED');
    create index exception_of on exception (subject);
    create index exception_by_time on exception (opened_at, id);

    create table day_close (
      environment text not null default 'live' check (environment = 'live'),
      provider text not null,
      currency text not null,
      day date not null,
      opening bigint not null,
      lines bigint not null,
      closing bigint not null,
      provider_balance bigint,
      unexplained_plus bigint not null check (unexplained_plus >= 0),
      unexplained_minus bigint not null check (unexplained_minus >= 0),
      checkpoint_size bigint,
      checkpoint_root bytea,
      closed_at timestamptz not null,
      closed_by text not null,
      primary key (environment, provider, currency, day),
      constraint day_close_adds_up check (opening + lines = closing)
    );
  `,
};
