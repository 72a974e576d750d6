import type { SqlMigration } from '@gateway/persistence';

/** Months of a chain that a link of it has closed, and files of months that are kept outside the database. */
export const chapters: SqlMigration = {
  name: '0018-chapters',
  sql: `
    -- Stored before its link is written, which repeats it: the chain has the link 'chapter:<environment>.<shard>:<month>'
    -- once it is closed.
    create table chapter (
      environment text collate "C" not null,
      shard smallint not null,
      month text collate "C" not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
      -- Its first link and its last one: where the chain ended when the state was read, after the end of the month.
      first_link bigint not null,
      last_link bigint not null check (last_link >= first_link),
      last_hash bytea not null check (length(last_hash) = 32),
      last_at timestamptz(3) not null,
      -- SHA-256 over all balances, and over all references, as they were behind the last link.
      balances_hash bytea not null check (length(balances_hash) = 32),
      references_hash bytea not null check (length(references_hash) = 32),
      reference_count bigint not null,
      -- When all of its links were last recomputed, and what was found then.
      walked_at timestamptz(3),
      problem text,
      verified_at timestamptz(3),
      primary key (environment, shard, month)
    );

    -- The balances behind the last link of each chapter: where a verification of what follows begins.
    create table kept_balance (
      environment text collate "C" not null,
      shard smallint not null,
      sequence bigint not null,
      account text collate "C" not null,
      currency text collate "C" not null,
      -- Of an account of ours: its amount.
      available bigint not null,
      pending bigint not null,
      blocked bigint not null,
      entries bigint not null,
      primary key (environment, shard, sequence, account, currency)
    );

    -- A file with all results and entries of a month. The link 'month-file:<month>:<sha256>' has it in each chain.
    create table month_file (
      month text collate "C" not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
      sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
      row_count bigint not null,
      written_at timestamptz(3) not null default clock_timestamp(),
      -- Its partitions are not in the database now.
      detached_at timestamptz(3),
      primary key (month, sha256)
    );

    -- The last link of each month that has a file: the first receipt of the month after it needs its hash.
    create table month_end (
      environment text collate "C" not null,
      shard smallint not null,
      sequence bigint not null,
      hash bytea not null,
      primary key (environment, shard, sequence)
    );
  `,
};
