import type { HashedLink, listLinks } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { requestHashOf } from '#src/chain/canonical-request.ts';
import { genesisHash, linkText } from '#src/chain/link.ts';
import { withEntries, type ResultRow } from '#src/chain/walk-chain.ts';

/** Of texts in one answer, in characters: well below what the broker takes as a message, quotes included. */
const charactersMax = 500_000;

/**
 * The link before the first one comes along, for its hash. The time leaves out the partitions of earlier months; it only
 * grows along the chain, so what was moved out of it is missing from the answer, which the reader notices.
 */
const resultsSql = `
  select r.sequence, round(extract(epoch from r.decided_at) * 1000)::bigint as "decidedAtMs",
    r.command_id as "commandId", r.request::text as request, r.outcome, r.refusal, r.amounts, r.balances, r.postings,
    encode(r.hash, 'hex') as hash
  from result r
  where r.environment = $1 and r.shard = $2 and r.sequence >= $3
    and r.decided_at >= timestamptz 'epoch' + $4::bigint * interval '1 millisecond'
  order by r.sequence limit $5`;

const incarnationSql = `
  select coalesce(max(i.number), 0)::int as incarnation
  from incarnation i join command c on c.environment = i.environment and c.id = i.command_id
  where i.environment = $1 and i.shard = $2`;

interface Row extends Omit<ResultRow, 'request' | 'commandRequestHash'> {
  readonly request: string;
}

/**
 * Decisions as they are stored, in the form the chain covers. The ledger checks nothing here: the reader does. Results and
 * entries are written together and never change, so that the two statements need no snapshot.
 */
export async function readLinks(
  database: Database,
  { environment, shard, after, afterMs, limit }: RequestOf<typeof listLinks>,
): Promise<ReplyOf<typeof listLinks>> {
  const rows = await database.query<Row>(resultsSql, [environment, shard, after, afterMs, limit + 1], 'list-links');
  const before = rows[0]?.sequence === after ? rows.shift() : undefined;
  const page = rows.slice(0, limit);
  const [opened] = await database.query<{ incarnation: number }>(incarnationSql, [environment, shard], 'incarnation');
  const reply = { before: before?.hash ?? null, incarnation: opened?.incarnation ?? 0 };
  if (page.length === 0) return { ...reply, links: [] };
  const reader = {
    query: async <Entry>(text: string, params: readonly unknown[]) =>
      (await database.query(text, params, 'list-link-entries')) as Entry[],
  };
  const links: HashedLink[] = [];
  let previous = before?.hash ?? genesisHash;
  let characters = 0;
  for (const row of await withEntries(reader, { environment, shard }, page)) {
    const requestHash = requestHashOf(row.request);
    const text = linkText(previous, { ...row, environment, shard, requestHash });
    characters += text.length + row.request.length;
    if (characters > charactersMax && links.length > 0) break;
    links.push({ text, request: row.request, hash: row.hash });
    previous = row.hash;
  }
  return { ...reply, links };
}
