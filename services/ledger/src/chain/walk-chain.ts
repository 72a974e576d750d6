import { idLowerBound } from '@gateway/money';
import { isJsonObject } from '#src/chain/canonical-request.ts';
import { genesisHash, type EntryTuple, type StoredLink } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { ShardName } from '#src/shards.ts';

/** Links in memory at a time. */
const pageLinks = 1_000;

const resultsWith = (more: string) => `
  select r.sequence, round(extract(epoch from r.decided_at) * 1000)::bigint as "decidedAtMs",
    r.command_id as "commandId", r.request, r.outcome, r.refusal, r.amounts, r.balances, r.postings,
    encode(r.hash, 'hex') as hash, encode(c.request_hash, 'hex') as "commandRequestHash"${more}
  from result r
  left join command c on c.environment = r.environment and c.id = r.command_id and c.sequence = r.sequence
  where r.environment = $1 and r.shard = $2`;
const resultsSql = `${resultsWith('')} and r.sequence > $3 and r.sequence <= $4 order by r.sequence limit $5`;

/**
 * The range of ids leads to the month's partition, the range of sequences to its blocks. An index that begins with the
 * environment is as cheap while the table is new, and would have all that it has read for each page: none serves this.
 */
const entryColumns = 'sequence, id, account_id, currency, number, type, amount, ref_type, ref_id, balance_after';
const entriesSql = `
  select ${entryColumns} from entry
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

/** The time leads to the month's partition, of the result as of its entries. */
const linkSql = (more: string) => `
  ${resultsWith(`, (
    select coalesce(json_agg(e order by e.id), '[]') from (
      select ${entryColumns} from entry
      where environment is not distinct from $1 and shard = $2 and sequence = $3 and id >= $5 and id < $6
    ) e) as entries, ${more}`)}
    and r.sequence = $3 and r.decided_at = timestamptz 'epoch' + $4::bigint * interval '1 ms'`;

/**
 * One decision by its number and time, in one statement with other columns, whose parameters follow $6; undefined when there
 * is none.
 */
export async function readLinkWith<More extends object>(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
  { sequence, decidedAtMs }: Pick<StoredLink, 'sequence' | 'decidedAtMs'>,
  more: { readonly columns: string; readonly params: readonly unknown[] },
): Promise<{ readonly link: StoredLink; readonly more: More } | undefined> {
  const ids = [decidedAtMs, decidedAtMs + 1].map((ms) => idLowerBound('ledgerEntry', ms));
  const params = [environment, shard, sequence, decidedAtMs, ...ids, ...more.params];
  type Row = ResultRow & More & { readonly entries: readonly EntryRow[] };
  const [row] = await snapshot.query<Row>(linkSql(more.columns), params);
  return row && { link: toLink(row, row.entries), more: row };
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
