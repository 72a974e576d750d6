import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { linkHash } from '#src/chain/link.ts';
import type { ShardName } from '#src/shards.ts';

/** What a link says that moves no money and answers no sender. It is flat, as commands are. */
export interface Statement {
  readonly kind: string;
  /** Unique in the environment, like that of a command: a statement is made once. */
  readonly id: string;
  readonly [member: string]: string | number;
}

/** The end of the chain that the link is to follow. */
export interface AppendPlace {
  readonly epoch: number;
  readonly sequence: number;
  readonly hash: string;
  readonly decidedAtMs: number;
}

/** The writer's own connection. */
interface WriterSession {
  query<Row extends object>(text: string, params: unknown[]): Promise<{ readonly rows: Row[] }>;
}

const appendSql = `
  with fence as (
    select environment, shard from shard
    where environment = $1 and shard = $2 and epoch = $3 and head_sequence = $4 and head_hash = decode($5, 'hex')
    for update
  ), moment as (
    select fence.*, timestamptz 'epoch' + $6::bigint * interval '1 millisecond' as decided_at from fence
  ), decided as (
    insert into command (environment, id, request_hash, shard, sequence, decided_at)
    select environment, $7, decode($8, 'hex'), shard, $4::bigint + 1, decided_at from moment
  ), resulted as (
    insert into result (environment, shard, sequence, decided_at, command_id, request, outcome, refusal, balances,
      amounts, postings, hash)
    select environment, shard, $4::bigint + 1, decided_at, $7, $9::json, 'applied', null, '[]', '{}', '[]',
      decode($10, 'hex')
    from moment
  )
  update shard s set head_sequence = $4::bigint + 1, head_hash = decode($10, 'hex'), decided_at_ms = $6
  from fence where s.environment = fence.environment and s.shard = fence.shard
  returning s.head_sequence as sequence`;

/**
 * Appends a link that moves no money, as one statement.
 *
 * @returns the new end of the chain
 * @throws Error when the shard has another writer, or another head; nothing was written
 */
export async function appendLink(
  session: WriterSession,
  { environment, shard }: ShardName,
  { epoch, sequence: before, hash: previous, decidedAtMs }: AppendPlace,
  statement: Statement,
): Promise<Omit<AppendPlace, 'epoch'>> {
  const request = canonicalRequest(statement);
  const requestHash = requestHashOf(request);
  const sequence = before + 1;
  const place = { environment, shard, sequence, decidedAtMs, commandId: statement.id, requestHash };
  const nothing = { refusal: null, amounts: {}, balances: [], postings: [], entries: [] };
  const hash = linkHash(previous, { ...place, ...nothing, outcome: 'applied' });
  const at = [environment, shard, epoch, before, previous, decidedAtMs];
  const { rows } = await session.query(appendSql, [...at, statement.id, requestHash, request, hash]);
  if (rows.length === 0) throw new Error(`another writer has taken over ${environment}.${shard}`);
  return { sequence, hash, decidedAtMs };
}
