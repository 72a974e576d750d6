import { idLowerBound } from '@gateway/money';
import type { Snapshot } from '#src/chain/snapshot.ts';
import type { Base } from '#src/reconciliation/chapter-base.ts';
import { Findings } from '#src/reconciliation/findings.ts';
import type { ShardName } from '#src/shards.ts';

/**
 * Per balance: the sum of its entries, how many there are, and the first whose number or running balance is off. It begins
 * with what was kept at the end of a chapter, and reads the entries behind it.
 */
const perBalanceSql = `
  with kept as (
    select account as account_id, currency, available, entries from kept_balance
    where environment = $1 and shard = $2 and sequence = $3 and account like 'acc\\_%'
  ), walked as (
    select account_id, currency, id, number, amount, balance_after, coalesce(kept.entries, 0) + row_number() over place as expected_number,
      coalesce(lag(balance_after) over place, kept.available, 0) + amount as expected_balance
    from entry left join kept using (account_id, currency)
    where environment = $1 and sequence > $3 and id >= $4
    window place as (partition by account_id, currency order by id)
  ), added as (
    select account_id, currency, count(*) as entries, sum(amount)::bigint as sum,
      min(id) filter (where number <> expected_number) as first_gap,
      min(id) filter (where balance_after <> expected_balance) as first_jump
    from walked group by account_id, currency
  ), summed as (
    select account_id, currency, coalesce(kept.entries, 0) + coalesce(added.entries, 0) as entries,
      coalesce(kept.available, 0) + coalesce(added.sum, 0) as sum, first_gap, first_jump
    from kept full join added using (account_id, currency)
  )
  select coalesce(b.account_id, s.account_id) as account, coalesce(b.currency, s.currency) as currency,
    coalesce(b.available, 0) as available, coalesce(b.entries, 0) as counted, coalesce(s.entries, 0) as entries,
    coalesce(s.sum, 0) as sum, s.first_gap as "firstGap", s.first_jump as "firstJump"
  from (select * from balance where environment = $1) b
  full join summed s on s.account_id = b.account_id and s.currency = b.currency`;

/** What entries are about. */
const recordsSql = `
  select e.id, e.ref_id as "recordId" from unnest($2::text[], $3::text[], $4::text[]) as named (account_id, currency, id)
  cross join lateral (
    select id, ref_id from entry
    where (environment, account_id, currency, id) = ($1, named.account_id, named.currency, named.id) offset 0
  ) as e`;

/** Entries whose records are looked up; of more than that few findings are kept. */
const namedMax = 1_000;

interface BalanceRow {
  readonly account: string;
  readonly currency: string;
  readonly available: number;
  readonly counted: number;
  readonly entries: number;
  readonly sum: number;
  readonly firstGap: string | null;
  readonly firstJump: string | null;
}

export interface EntryFindings {
  /** Available is the sum of the entries (spec 2.3), and each entry has the balance after it. */
  readonly sums: Findings;
  readonly numbers: Findings;
}

export async function checkEntries(
  snapshot: Snapshot,
  { environment, shard }: ShardName,
  base: Base,
): Promise<EntryFindings> {
  const sums = new Findings();
  const numbers = new Findings();
  const params = [environment, shard, base.sequence, idLowerBound('ledgerEntry', base.decidedAtMs)];
  const rows = await snapshot.query<BalanceRow>(perBalanceSql, params);
  const records = await recordsOfBroken(snapshot, environment, rows);
  for (const row of rows) {
    const { account: accountId, currency, available: found, sum: expected } = row;
    const name = `${accountId} ${currency}`;
    const about = { accountId, currency };
    sums.examined += row.entries;
    numbers.examined += row.entries;
    if (expected !== found)
      sums.add(`${name}: available ${found}, entries ${expected}`, {
        ...about,
        kind: 'balance_differs',
        expected,
        found,
      });
    if (row.firstJump !== null) {
      const jump = { ...about, kind: 'running_balance_breaks', ...records.get(row.firstJump) };
      sums.add(`${name}: the running balance breaks at ${row.firstJump}`, jump);
    }
    if (row.firstGap !== null) {
      const gap = { ...about, kind: 'numbering_breaks', ...records.get(row.firstGap) };
      numbers.add(`${name}: the numbering breaks at ${row.firstGap}`, gap);
    }
    if (row.entries !== row.counted) {
      const counts = { ...about, kind: 'count_differs', expected: row.entries, found: row.counted };
      numbers.add(`${name}: ${row.counted} entries were counted, ${row.entries} are there`, counts);
    }
  }
  return { sums, numbers };
}

interface NamedEntry {
  readonly entryId: string;
  /** Of an entry that is there. */
  readonly recordId?: string;
}

/** The entries at which numbers or running balances break, each with the record that it is about. */
async function recordsOfBroken(
  snapshot: Snapshot,
  environment: string,
  rows: readonly BalanceRow[],
): Promise<ReadonlyMap<string, NamedEntry>> {
  const broken = rows.flatMap(({ account, currency, firstGap, firstJump }) =>
    [firstGap, firstJump].flatMap((id) => (id === null ? [] : [{ account, currency, id }])),
  );
  const entries = new Map<string, NamedEntry>(broken.map(({ id }) => [id, { entryId: id }]));
  const named = broken.slice(0, namedMax);
  if (named.length === 0) return entries;
  const columns = [
    named.map(({ account }) => account),
    named.map(({ currency }) => currency),
    named.map(({ id }) => id),
  ];
  const found = await snapshot.query<{ id: string; recordId: string }>(recordsSql, [environment, ...columns]);
  for (const { id, recordId } of found) entries.set(id, { entryId: id, recordId });
  return entries;
}
