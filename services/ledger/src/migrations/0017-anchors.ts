import type { SqlMigration } from '@gateway/persistence';

/** What of the signed checkpoints is kept outside, by whom, and what was answered. */
export const anchors: SqlMigration = {
  name: '0017-anchors',
  sql: `
    create table anchor (
      environment text collate "C" not null,
      shard smallint not null,
      size bigint not null,
      target text collate "C" not null,
      -- The interval in which it was queued: one for each target.
      period bigint not null,
      queued_at timestamptz(3) not null,
      attempts int not null default 0,
      next_at timestamptz(3) not null,
      done_at timestamptz(3),
      -- What was sent and answered, where that is evidence: the query and the token of a time stamping authority.
      request bytea,
      answer bytea check (answer is null or done_at is not null),
      failure text,
      primary key (environment, shard, size, target),
      unique (environment, shard, target, period),
      foreign key (environment, shard, size) references checkpoint
    );
    create index anchor_due on anchor (next_at) where done_at is null;
  `,
};
