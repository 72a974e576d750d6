import { idLowerBound } from '@gateway/money';
import { isJsonObject } from '#src/chain/canonical-request.ts';
import { genesisHash, type EntryTuple, type StoredLink } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { ShardName } from '#src/shards.ts';

/** Links in memory at a time. */
const pageLinks = 1_000;

const resultColumns = `
  select r.sequence, round(extract(epoch from r.decided_at) * 1000)::bigint as "decidedAtMs",
    r.command_id as "commandId", r.request, r.outcome, r.refusal, r.amounts, r.balances, r.postings,
    encode(r.hash, 'hex') as hash, encode(c.request_hash, 'hex') as "commandRequestHash"
  from result r
  left join command c on c.environment = r.environment and c.id = r.command_id and c.sequence = r.sequence
  where r.environment = $1 and r.shard = $2`;
const resultsSql = `${resultColumns} and r.sequence > $3 and r.sequence <= $4 order by r.sequence limit $5`;
/** The time leads to the month's partition. */
const resultSql = `${resultColumns} and r.sequence = $3 and r.decided_at = timestamptz 'epoch' + $4::bigint * interval '1 ms'`;

/**
 * The range of ids leads to the month's partition, the range of sequences to its blocks. An index that begins with the
 * environment is as cheap while the table is new, and would have all that it has read for each page: none serves this.
 */
const entriesSql = `
  select sequence, id, account_id, currency, number, type, amount, ref_type, ref_id, balance_after from entry
  where environment is not distinct from $1 and shard = $2 and sequence between $3 and $4 and id >= $5 and id < $6
  order by sequence, id`;

interface StoredAnswer extends Pick<StoredLink, 'amounts' | 'hash'> {
  readonly balances: readonly { currency: string; available: number; pending: number; blocked: number }[];
}

/** A result as it is stored, without its entries. */
export interface ResultRow extends StoredAnswer, Omit<StoredLink, 'balances' | 'entries'> {}

/** A result with its entries. */
type WithEntries<Row> = Omit<Row, 'balances'> & Pick<StoredLink, 'balances' | 'entries'>;

interface EntryRow {
  readonly sequence: number;
  readonly id: string;
  readonly account_id: string;
  readonly currency: string;
  readonly number: number;
  readonly type: string;
  readonly amount: number;
  readonly ref_type: string;
  readonly ref_id: string;
  readonly balance_after: number;
}

/**
 * The decisions of a shard behind one, up to another one, in their order, page by page, with memory for one page
 * whatever the length.
 */
export async function* walkChain(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
  from = 0,
  through: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly StoredLink[]> {
  for (let after = from; ;) {
    const results = await snapshot.query<ResultRow>(resultsSql, [environment, shard, after, through, pageLinks]);
    const last = results.at(-1);
    if (!last) return;
    yield await withEntries(snapshot, { environment, shard }, results);
    after = last.sequence;
  }
}

/** One decision by its number and time; undefined when there is none. */
export async function readLink(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
  sequence: number,
  decidedAtMs: number,
): Promise<StoredLink | undefined> {
  const results = await snapshot.query<ResultRow>(resultSql, [environment, shard, sequence, decidedAtMs]);
  const [link] = await withEntries(snapshot, { environment, shard }, results);
  return link;
}

/** Adds the entries of results that stand one behind the other. */
export async function withEntries<Row extends StoredAnswer & Pick<ResultRow, 'sequence' | 'decidedAtMs'>>(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
  results: readonly Row[],
): Promise<WithEntries<Row>[]> {
  const [first, last] = [results[0], results.at(-1)];
  if (!first || !last) return [];
  // Times only grow along the chain; if a row was changed so that they do not, its own link shows it.
  const ids = [first.decidedAtMs, last.decidedAtMs + 1].map((ms) => idLowerBound('ledgerEntry', ms));
  const params = [environment, shard, first.sequence, last.sequence, ...ids];
  const entries = await snapshot.query<EntryRow>(entriesSql, params);
  const bySequence = Map.groupBy(entries, (entry) => entry.sequence);
  return results.map((result) => toLink(result, bySequence.get(result.sequence) ?? []));
}

/** A row in which something has another form than it was written with has no hash that a link could have. */
function toLink<Row extends StoredAnswer>(result: Row, entries: readonly EntryRow[]): WithEntries<Row> {
  const { amounts, balances }: { readonly amounts: unknown; readonly balances: unknown } = result;
  if (!isJsonObject(amounts) || !Array.isArray(balances) || !balances.every(isJsonObject)) {
    return { ...result, hash: genesisHash, amounts: {}, balances: [], entries: entries.map(toTuple) };
  }
  return {
    ...result,
    balances: result.balances.map(({ currency, available, pending, blocked }) => [
      currency,
      available,
      pending,
      blocked,
    ]),
    entries: entries.map(toTuple),
  };
}

function toTuple(row: EntryRow): EntryTuple {
  return [
    row.id,
    row.account_id,
    row.currency,
    row.number,
    row.type,
    row.amount,
    row.ref_type,
    row.ref_id,
    row.balance_after,
  ];
}
