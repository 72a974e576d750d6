import { isBeyond } from '@gateway/contracts/ledger';
import { appendLink } from '#src/chain/append-link.ts';
import type { Shard, ShardName } from '#src/shards.ts';
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
  /** The time in the future of the chain's last link, where it was accepted. */
  readonly acceptedTimeMs: number | null;
}

const columns = `approval_id as "approvalId", number, command_id as "commandId",
  head_sequence as "headSequence", head_hash as "headHash", lost_through as "lostThrough", contradictions,
  proposed_by as "proposedBy", approved_by as "approvedBy", accepted_time_ms as "acceptedTimeMs"`;

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

/** Accepted for this very end of the chain, and not written into it yet. */
export async function acceptanceFor(
  { environment, shard }: ShardName,
  reader: ChainReader,
): Promise<ApprovedIncarnation | undefined> {
  const { rows } = await reader.query<ApprovedIncarnation>(pendingSql, [environment, shard]);
  return rows.find(({ acceptedTimeMs }) => acceptedTimeMs !== null);
}

/** Of incarnations that are open, and of the one that is to be opened at this end of the chain. */
const acceptSql = `
  update shard s set accepted_time_ms = greatest(s.accepted_time_ms, (
      select max(i.accepted_time_ms) from incarnation i where i.environment = s.environment and i.shard = s.shard
        and ((i.head_sequence, i.head_hash) = (s.head_sequence, encode(s.head_hash, 'hex'))
          or exists (select from command c where c.environment = i.environment and c.id = i.command_id))))
  where s.environment = $1 and s.shard = $2 returning s.accepted_time_ms as ms`;

/**
 * Notes in the shard the latest time in the future that two operators have accepted, for the statements that write batches.
 *
 * @returns Unix milliseconds; 0 where none was ever accepted
 */
export async function noteAcceptedTime({ environment, shard }: ShardName, session: ChainReader): Promise<number> {
  const [row] = (await session.query<{ readonly ms: number }>(acceptSql, [environment, shard])).rows;
  return row?.ms ?? 0;
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
  const place = { epoch, sequence: headSequence, hash: headHash, decidedAtMs };
  await appendLink(session, { environment, shard }, place, {
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
    ...(approved.acceptedTimeMs === null ? {} : { acceptedTimeMs: approved.acceptedTimeMs }),
  });
}

/** `deposits 0/120 4f0c…`: the witness, the link it has seen, and the link's hash. */
function described({ witness, seen: { incarnation, sequence, hash } }: Contradiction): string {
  return `${witness} ${incarnation}/${sequence} ${hash}`;
}
