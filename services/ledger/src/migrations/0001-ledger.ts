import type { SqlMigration } from '@gateway/persistence';

/**
 * Ids are compared byte by byte (collate "C"): their order is their age. The environment comes first in every key.
 * `entry` and `result` are partitioned by month; their partitions are made ahead of time (src/partitions).
 */
export const ledgerTables: SqlMigration = {
  name: '0001-ledger',
  sql: `
    -- One row per writer: its fence, its place in the stream, and the head of its chain.
    create table shard (
      environment text collate "C" not null check (environment in ('live', 'test')),
      shard smallint not null,
      -- Raised by every writer that takes over; a statement with an older epoch writes nothing.
      epoch bigint not null default 0,
      -- Last message whose effect is committed, and when the broker stored it: together they tell the message from
      -- another one that got its sequence after the broker had lost its tail.
      stream_sequence bigint not null default 0,
      stream_time_ms bigint not null default 0,
      head_sequence bigint not null default 0,
      head_hash bytea not null default decode(repeat('00', 32), 'hex'),
      decided_at_ms bigint not null default 0,
      -- What the last batch left over: rows that were not as the writer remembered them, and money without a counterpart.
      rows_missed bigint not null default 0 constraint shard_rows_as_remembered check (rows_missed = 0),
      out_of_balance bigint not null default 0 constraint shard_in_balance check (out_of_balance = 0),
      primary key (environment, shard)
    ) with (fillfactor = 20);
    insert into shard (environment, shard) values ('live', 0), ('test', 0);

    -- Every id ever decided: the one that makes a command happen once. Not partitioned, since ids are unique forever.
    create table command (
      environment text collate "C" not null,
      id text collate "C" not null,
      request_hash bytea not null,
      shard smallint not null,
      sequence bigint not null,
      decided_at timestamptz(3) not null,
      primary key (environment, id)
    );

    create table result (
      environment text collate "C" not null,
      shard smallint not null,
      -- Position in the chain: 1, 2, 3 … without gaps.
      sequence bigint not null,
      decided_at timestamptz(3) not null,
      command_id text collate "C" not null,
      request json not null,
      outcome text not null check (outcome in ('applied', 'refused')),
      refusal text check ((refusal is null) = (outcome = 'applied')),
      balances json not null,
      amounts json not null,
      -- [[account, bucket, currency, amount], …]
      postings json not null,
      hash bytea not null,
      primary key (environment, shard, sequence, decided_at)
    ) partition by range (decided_at);

    create table entry (
      environment text collate "C" not null,
      account_id text collate "C" not null,
      currency text collate "C" not null,
      -- Carries its time, so a range of time is a range of ids.
      id text collate "C" not null,
      shard smallint not null,
      -- The result it belongs to.
      sequence bigint not null,
      -- 1, 2, 3 … per account and currency, without gaps.
      number bigint not null,
      type text collate "C" not null,
      amount bigint not null check (amount <> 0),
      ref_type text not null,
      ref_id text collate "C" not null,
      balance_after bigint not null check (balance_after >= 0),
      primary key (environment, account_id, currency, id)
    ) partition by range (id);
    create index entry_by_type on entry (environment, account_id, type, currency, id);
    create index entry_by_ref on entry (environment, ref_id);

    -- Entries arrive in this order, so a few bytes per block are enough to find those of a stretch of results.
    create index entry_by_sequence on entry using brin (sequence) with (pages_per_range = 16, autosummarize = on);

    create table balance (
      environment text collate "C" not null,
      account_id text collate "C" not null,
      currency text collate "C" not null,
      available bigint not null default 0 check (available >= 0),
      pending bigint not null default 0 check (pending >= 0),
      blocked bigint not null default 0 check (blocked >= 0),
      entries bigint not null default 0,
      version bigint not null default 0,
      primary key (environment, account_id, currency)
    ) with (fillfactor = 50);

    create table system_balance (
      environment text collate "C" not null,
      shard smallint not null,
      account text collate "C" not null,
      currency text collate "C" not null,
      amount bigint not null default 0,
      version bigint not null default 0,
      primary key (environment, shard, account, currency)
    ) with (fillfactor = 20);

    -- What later commands are checked against (posting/reference.ts).
    create table reference (
      environment text collate "C" not null,
      id text collate "C" not null,
      kind text not null check (kind in ('deposit', 'payout', 'refund', 'dispute')),
      account_id text collate "C" not null,
      currency text not null,
      amount bigint not null,
      fee bigint not null default 0,
      state text,
      -- In a bucket for this record now: a deposit's pending, a dispute's blocked.
      held bigint not null default 0 check (held >= 0),
      -- Spoken for or gone back: a deposit's committed, a payout's or dispute's returned.
      used bigint not null default 0 check (used between 0 and amount),
      shortfall bigint not null default 0 check (shortfall >= 0),
      -- Unix seconds: a deposit's release, the end of a dispute's capture.
      due_at bigint,
      deposit_id text collate "C",
      provider text,
      primary key (environment, id)
    ) with (fillfactor = 80);
    create index reference_due on reference (environment, due_at) where kind = 'deposit' and held > 0;
    create index reference_pending on reference (environment, account_id) where kind = 'deposit' and held > 0;
    create index reference_short on reference (environment, account_id) where shortfall > 0;

    create table reconciliation (
      id text collate "C" primary key,
      status text not null check (status in ('OK', 'DISCREPANCY')),
      checks json not null,
      started_at timestamptz(3) not null,
      finished_at timestamptz(3) not null
    );
  `,
};
