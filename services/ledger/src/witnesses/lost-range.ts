import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { clockLimitMs, type LostRange, needsOperators, type openIncarnation } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { postgresMsSql } from '#src/postgres/postgres-time.ts';
import { shards, type ShardName } from '#src/shards.ts';
import { hear, openedSql, type Witness } from '#src/witnesses/witness.ts';

interface IncarnationDependencies {
  readonly database: Database;
  readonly witnesses: readonly Witness[];
}

const headSql = `
  with opened as (${openedSql})
  select (select coalesce(max(number), 0) from opened)::int as incarnation, head_sequence as "headSequence",
    encode(head_hash, 'hex') as "headHash", decided_at_ms as "decidedAtMs",
    greatest(decided_at_ms - ${postgresMsSql}, 0)::bigint as "aheadMs"
  from shard where environment = $1 and shard = $2`;

type Head = Pick<LostRange, 'incarnation' | 'headSequence' | 'headHash' | 'decidedAtMs' | 'aheadMs'>;

/** Asks the witnesses now, whether or not a writer is refusing: any replica of the ledger can answer. */
export async function readLostRange(
  { database, witnesses }: IncarnationDependencies,
  { environment, shard }: ShardName,
): Promise<LostRange> {
  const known = shards.find((each) => each.environment === environment && each.shard === shard);
  if (!known) throw new NotFoundError('shard');
  const { contradictions, silent } = await hear(witnesses, known, database.pool);
  const [head] = await database.query<Head>(headSql, [environment, shard]);
  if (!head) throw new NotFoundError('shard');
  return {
    ...{ environment: known.environment, shard, ...head },
    lostThrough: Math.max(head.headSequence, ...contradictions.map(({ seen }) => seen.sequence)),
    contradictions: [...contradictions],
    silent: silent.map(({ name }) => name),
  };
}

/** The number is beyond every one that a witness has seen: a backup may be older than an incarnation. */
const approveSql = `
  insert into incarnation (approval_id, environment, shard, number, command_id, head_sequence, head_hash, lost_through,
    contradictions, proposed_by, approved_by, accepted_time_ms)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9::json, $10, $11, $12::bigint from shard
  where environment = $2 and shard = $3 and head_sequence = $6 and head_hash = decode($7, 'hex')
  on conflict (approval_id) do nothing`;

/** @throws DomainError INVALID_STATE where the chain goes on by itself, or is not the one that was approved */
export async function approveIncarnation(
  { database }: Pick<IncarnationDependencies, 'database'>,
  { approvalId, range, proposedBy, approvedBy }: RequestOf<typeof openIncarnation>,
): Promise<ReplyOf<typeof openIncarnation>> {
  const { environment, shard, incarnation, headSequence, headHash, lostThrough, contradictions } = range;
  const { aheadMs = 0, decidedAtMs = 0 } = range;
  if (!needsOperators({ contradictions, aheadMs }))
    throw new DomainError('INVALID_STATE', 'no witness contradicts the chain');
  const acceptedTimeMs = aheadMs > clockLimitMs ? decidedAtMs : null;
  const number = Math.max(incarnation, ...contradictions.map(({ seen }) => seen.incarnation)) + 1;
  const commandId = `incarnation:${approvalId}`;
  const lost = [headSequence, headHash, lostThrough, JSON.stringify(contradictions)];
  await database.query(approveSql, [
    approvalId,
    environment,
    shard,
    number,
    commandId,
    ...lost,
    proposedBy,
    approvedBy,
    acceptedTimeMs,
  ]);
  const [stored] = await database.query('select from incarnation where approval_id = $1', [approvalId]);
  if (!stored) throw new DomainError('INVALID_STATE', 'the chain is not the one that was approved');
  return { number };
}
