import { NotFoundError } from '@gateway/contracts/errors';
import type { Anchor, getAnchor, listAnchors } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';

interface AnchorRow extends Omit<Anchor, 'queuedAt' | 'keptAt'> {
  readonly queuedAt: Date;
  readonly keptAt: Date | null;
}

const columns = `environment, shard, size, target, queued_at as "queuedAt", done_at as "keptAt", attempts, failure,
  answer is not null as "hasEvidence"`;

/** The largest first, and of one size by the name of the target. */
const listSql = `
  select ${columns} from anchor
  where environment = $1 and shard = $2 and ($3::text is null or target = $3)
    and ($4::boolean is null or (done_at is not null) = $4)
    and ($5::bigint is null or size < $5 or (size = $5 and target > $6))
  order by size desc, target limit $7`;

export async function readAnchors(
  database: Database,
  { environment, shard, target, isKept, limit, after }: RequestOf<typeof listAnchors>,
): Promise<ReplyOf<typeof listAnchors>> {
  const place = [after?.size ?? null, after?.target ?? null];
  const params = [environment, shard, target ?? null, isKept ?? null, ...place, limit + 1];
  const rows = await database.query<AnchorRow>(listSql, params);
  return { anchors: rows.slice(0, limit).map(toAnchor), isLast: rows.length <= limit };
}

/**
 * After a change of keys a checkpoint has a note of each. A token is of the one that was stamped, whose hash is in its query;
 * what a witness signs is the same in all of them.
 */
const oneSql = `
  select ${columns}, request, answer, (
    select note from checkpoint_note n where (n.environment, n.shard, n.size) = (a.environment, a.shard, a.size)
    order by coalesce(position(sha256(convert_to(note, 'UTF8')) in a.request), 0) > 0 desc, key_number desc limit 1
  ) as checkpoint
  from anchor a where environment = $1 and shard = $2 and size = $3 and target = $4`;

/** @throws NotFoundError when there is no such anchor */
export async function readAnchor(
  database: Database,
  { environment, shard, size, target }: RequestOf<typeof getAnchor>,
): Promise<ReplyOf<typeof getAnchor>> {
  type Whole = AnchorRow & { request: Buffer | null; answer: Buffer | null; checkpoint: string };
  const [row] = await database.query<Whole>(oneSql, [environment, shard, size, target]);
  if (!row) throw new NotFoundError('anchor');
  const { request, answer, checkpoint, ...anchor } = row;
  const base64 = (bytes: Buffer | null) => bytes?.toString('base64') ?? null;
  return { anchor: toAnchor(anchor), checkpoint, request: base64(request), answer: base64(answer) };
}

function toAnchor({ queuedAt, keptAt, ...row }: AnchorRow): Anchor {
  return { ...row, queuedAt: unixSeconds(queuedAt), keptAt: keptAt && unixSeconds(keptAt) };
}
