import type { SqlMigration } from '@gateway/persistence';

/**
 * Two operators let a chain go on that has lost its end. The row says from where; the incarnation is open once its link,
 * the command of that id, is in the chain.
 */
export const incarnations: SqlMigration = {
  name: '0016-incarnations',
  sql: `
    create table incarnation (
      approval_id text collate "C" primary key,
      environment text collate "C" not null check (environment in ('live', 'test')),
      shard smallint not null,
      number integer not null check (number > 0),
      command_id text collate "C" not null unique,
      -- The end of the chain when the operators decided.
      head_sequence bigint not null,
      head_hash text collate "C" not null,
      -- The highest link that a witness had seen, and what each of them had.
      lost_through bigint not null,
      contradictions json not null,
      proposed_by text not null,
      approved_by text not null,
      approved_at timestamptz(3) not null default clock_timestamp()
    );
    create index incarnation_of_shard on incarnation (environment, shard);
  `,
};
