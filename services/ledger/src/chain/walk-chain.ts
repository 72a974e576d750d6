import { idLowerBound } from '@gateway/money';
import type { EntryTuple, StoredLink } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { ShardName } from '#src/shards.ts';

/** Links in memory at a time. */
const pageLinks = 1_000;

const resultsSql = `
  select r.sequence, round(extract(epoch from r.decided_at) * 1000)::bigint as "decidedAtMs",
    r.command_id as "commandId", r.request, r.outcome, r.refusal, r.amounts, r.balances, r.postings,
    encode(r.hash, 'hex') as hash, encode(c.request_hash, 'hex') as "commandRequestHash"
  from result r
  left join command c on c.environment = r.environment and c.id = r.command_id and c.sequence = r.sequence
  where r.environment = $1 and r.shard = $2 and r.sequence > $3
  order by r.sequence limit $4`;

/** The range of ids leads to the month's partition, the range of sequences to its blocks. */
const entriesSql = `
  select sequence, id, account_id, currency, number, type, amount, ref_type, ref_id, balance_after from entry
  where environment = $1 and shard = $2 and sequence between $3 and $4 and id >= $5 and id < $6
  order by sequence, id`;

interface ResultRow extends Omit<StoredLink, 'balances' | 'entries'> {
  readonly balances: readonly { currency: string; available: number; pending: number; blocked: number }[];
}

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

/** All decisions of a shard in their order, page by page, with memory for one page whatever the length. */
export async function* walkChain(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
): AsyncGenerator<readonly StoredLink[]> {
  for (let after = 0; ;) {
    const results = await snapshot.query<ResultRow>(resultsSql, [environment, shard, after, pageLinks]);
    const last = results.at(-1);
    if (!last) return;
    // Times only grow along the chain; if a row was changed so that they do not, its own link shows it.
    const [fromMs, toMs] = [results[0]?.decidedAtMs ?? 0, last.decidedAtMs + 1];
    const ids = [fromMs, toMs].map((ms) => idLowerBound('ledgerEntry', ms));
    const entries = await snapshot.query<EntryRow>(entriesSql, [environment, shard, after + 1, last.sequence, ...ids]);
    const bySequence = Map.groupBy(entries, (entry) => entry.sequence);
    yield results.map((result) => toLink(result, bySequence.get(result.sequence) ?? []));
    after = last.sequence;
  }
}

function toLink(result: ResultRow, entries: readonly EntryRow[]): StoredLink {
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
