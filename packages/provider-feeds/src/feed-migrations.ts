import type { SqlMigration } from '@gateway/persistence';

/** Tables of a service that reads lists of providers; at the end of its own migrations. */
export const feedMigrations: readonly SqlMigration[] = [
  {
    name: 'kit-feeds-0001',
    sql: `
      -- A reader of a list. The first follows the present; the others, each lag_sec behind it, read the same once more.
      create table feed (
        environment text collate "C" not null check (environment in ('live', 'test')),
        provider text collate "C" not null,
        name text collate "C" not null,
        lag_sec integer not null check (lag_sec > 0),
        -- Everything before has been read.
        from_at timestamptz(3) not null,
        -- The window under way, the next page of it, and the size of its pages where that differs.
        to_at timestamptz(3),
        place text,
        page_items integer,
        -- The widest window: failures halve it, successes double it.
        width_ms integer not null,
        due_at timestamptz(3) not null,
        lease_until timestamptz(3),
        failing_since timestamptz(3),
        failure text,
        primary key (environment, provider, name, lag_sec)
      );
      -- A part of a list that could not be parsed; it is read again every hour.
      create table poll_gap (
        environment text collate "C" not null,
        provider text collate "C" not null,
        name text collate "C" not null,
        from_at timestamptz(3) not null,
        to_at timestamptz(3) not null,
        place text not null default '',
        page_items integer,
        cause text not null,
        found_at timestamptz(3) not null,
        attempts integer not null default 0,
        next_attempt_at timestamptz(3) not null,
        primary key (environment, provider, name, from_at, to_at, place)
      );
      create table item_inbox (
        environment text collate "C" not null,
        provider text collate "C" not null,
        feed text collate "C" not null,
        key text collate "C" not null,
        -- JSON; text, since it may hold what jsonb refuses. Gone when the item is taken.
        raw text,
        state text not null check (state in ('WAITING', 'TAKEN', 'FOREIGN', 'UNCONFIRMED', 'UNREADABLE')),
        cause text,
        attempts integer not null default 0,
        is_retry boolean not null default false,
        first_seen timestamptz(3) not null,
        next_attempt_at timestamptz(3),
        done_at timestamptz(3),
        primary key (environment, provider, feed, key)
      );
      -- What has not been tried goes before what is tried again.
      create index item_inbox_due on item_inbox (is_retry, next_attempt_at) where next_attempt_at is not null;
      create index item_inbox_open on item_inbox (first_seen) where state <> 'TAKEN';
      create index item_inbox_done on item_inbox (done_at) where state = 'TAKEN';
    `,
  },
  {
    name: 'kit-feeds-0002',
    // Operators end what nobody will ever take.
    sql: `
      alter table item_inbox
        drop constraint item_inbox_state_check,
        add constraint item_inbox_state_check
          check (state in ('WAITING', 'TAKEN', 'FOREIGN', 'UNCONFIRMED', 'UNREADABLE', 'DISMISSED'));
    `,
  },
  {
    name: 'kit-feeds-0003',
    // A window is retried over many rounds. Of several gaps of one window, the first by its place has the place of the retry.
    sql: `
      alter table poll_gap
        -- The next page of the window, null at its beginning; and when it became that.
        add column retry_place text,
        add column placed_at timestamptz(3),
        add column lease_until timestamptz(3);
    `,
  },
  {
    name: 'kit-feeds-0004',
    // Two operators let a list go on behind a part that it does not answer. The id is that of their approval.
    sql: `
      create table feed_skip (
        id text collate "C" primary key,
        environment text collate "C" not null,
        provider text collate "C" not null,
        name text collate "C" not null,
        from_at timestamptz(3) not null,
        to_at timestamptz(3) not null check (to_at > from_at),
        reason text not null,
        at timestamptz(3) not null
      );
      -- Of the gaps that it has left.
      alter table poll_gap add column skip_id text collate "C" references feed_skip;
    `,
  },
];
