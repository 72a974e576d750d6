import { isBeyond } from '@gateway/contracts/ledger';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { linkHash } from '#src/chain/link.ts';
import type { Shard } from '#src/shards.ts';
import type { ChainReader, Contradiction } from '#src/witnesses/witness.ts';

/** An incarnation that two operators have approved, as it is stored. */
export interface ApprovedIncarnation {
  readonly approvalId: string;
  readonly number: number;
  readonly commandId: string;
  readonly headSequence: number;
  readonly headHash: string;
  readonly lostThrough: number;
  readonly contradictions: readonly Contradiction[];
  readonly proposedBy: string;
  readonly approvedBy: string;
}

const columns = `approval_id as "approvalId", number, command_id as "commandId",
  head_sequence as "headSequence", head_hash as "headHash", lost_through as "lostThrough", contradictions,
  proposed_by as "proposedBy", approved_by as "approvedBy"`;

/** Approved for this very end of the chain, and not open yet. */
const pendingSql = `
  select ${columns} from incarnation i
  where environment = $1 and shard = $2
    and (head_sequence, head_hash) = (select head_sequence, encode(head_hash, 'hex') from shard
      where environment = $1 and shard = $2)
    and not exists (select from command c where c.environment = i.environment and c.id = i.command_id)
  order by approved_at desc`;

/**
 * The incarnation that was approved for what witnesses have seen beyond the chain. What they have seen since the approval
 * is more than its operators knew of, and is for them to decide again.
 */
export async function incarnationFor(
  contradictions: readonly Contradiction[],
  { environment, shard }: Shard,
  reader: ChainReader,
): Promise<ApprovedIncarnation | undefined> {
  const { rows } = await reader.query<ApprovedIncarnation>(pendingSql, [environment, shard]);
  return rows.find((pending) => contradictions.every((each) => isKnownTo(pending, each)));
}

function isKnownTo({ contradictions }: ApprovedIncarnation, { witness, seen }: Contradiction): boolean {
  const approved = contradictions.find((each) => each.witness === witness);
  return approved !== undefined && !isBeyond(seen, approved.seen);
}

/** The head that the link follows, and when it is written. */
export interface IncarnationPlace {
  readonly epoch: number;
  readonly decidedAtMs: number;
}

const writeSql = `
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
 * Writes the link that opens an incarnation: it moves no money, and names the links that were lost and who had seen
 * them. The decisions after it take the places of those.
 *
 * @throws Error when the shard has another writer, or another head
 */
export async function writeIncarnation(
  session: ChainReader,
  { environment, shard }: Shard,
  approved: ApprovedIncarnation,
  { epoch, decidedAtMs }: IncarnationPlace,
): Promise<void> {
  const { headSequence, headHash, commandId } = approved;
  const request = canonicalRequest({
    kind: 'incarnation',
    id: commandId,
    environment,
    shard,
    number: approved.number,
    lostFrom: Math.min(headSequence + 1, ...approved.contradictions.map(({ seen }) => seen.sequence)),
    lostThrough: approved.lostThrough,
    witnesses: approved.contradictions.map(described).join(', '),
    proposedBy: approved.proposedBy,
    approvedBy: approved.approvedBy,
  });
  const requestHash = requestHashOf(request);
  const place = { environment, shard, sequence: headSequence + 1, decidedAtMs, commandId, requestHash };
  const nothing = { refusal: null, amounts: {}, balances: [], postings: [], entries: [] };
  const hash = linkHash(headHash, { ...place, ...nothing, outcome: 'applied' });
  const at = [environment, shard, epoch, headSequence, headHash, decidedAtMs];
  const { rows } = await session.query(writeSql, [...at, commandId, requestHash, request, hash]);
  if (rows.length === 0) throw new Error(`another writer has taken over ${environment}.${shard}`);
}

/** `deposits 0/120 4f0c…`: the witness, the link it has seen, and the link's hash. */
function described({ witness, seen: { incarnation, sequence, hash } }: Contradiction): string {
  return `${witness} ${incarnation}/${sequence} ${hash}`;
}
