import { createHash } from 'node:crypto';
import type { Query } from '#src/proof/tree-store.ts';
import type { ShardName } from '#src/shards.ts';

/** A balance as it was behind the last link of a chapter. One that is all zeros, and has no entries, is left out. */
export interface KeptBalance {
  readonly account: string;
  readonly currency: string;
  /** Of an account of ours: its amount. */
  readonly available: number;
  readonly pending: number;
  readonly blocked: number;
  readonly entries: number;
}

/** Rows in memory at a time. */
const pageRows = 10_000;

const keepSql = `
  insert into kept_balance (environment, shard, sequence, account, currency, available, pending, blocked, entries)
  select $1::text, $2::smallint, $3::bigint, account_id, currency, available, pending, blocked, entries from balance
  where environment = $1 and (available, pending, blocked, entries) <> (0, 0, 0, 0)
  union all
  select $1, $2, $3, account, currency, amount, 0, 0, 0 from system_balance
  where environment = $1 and shard = $2 and amount <> 0`;

/** Keeps all balances as they are now; with a snapshot, as they were behind the link that was the last one then. */
export async function keepBalances(query: Query, { environment, shard }: ShardName, sequence: number): Promise<void> {
  await query(keepSql, [environment, shard, sequence]);
}

const pageSql = `
  select account, currency, available, pending, blocked, entries from kept_balance
  where environment = $1 and shard = $2 and sequence = $3 and (account, currency) > ($4, $5)
  order by account, currency limit $6`;

/** What was kept behind a link, in the order in which it is hashed. */
export async function* readKeptBalances(
  query: Query,
  { environment, shard }: ShardName,
  sequence: number,
): AsyncGenerator<readonly KeptBalance[]> {
  for (let last: KeptBalance | undefined; ;) {
    const after = [last?.account ?? '', last?.currency ?? ''];
    const page = await query<KeptBalance>(pageSql, [environment, shard, sequence, ...after, pageRows]);
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
  }
}

/** SHA-256 over balances in the order of accounts and currencies: one line each, its members separated by spaces. */
export class BalancesHash {
  readonly #hash = createHash('sha256');

  add(rows: readonly KeptBalance[]): void {
    const lines = rows.map(({ account, currency, available, pending, blocked, entries }) => {
      return `${account} ${currency} ${available} ${pending} ${blocked} ${entries}\n`;
    });
    this.#hash.update(lines.join(''));
  }

  digest(): Buffer {
    return this.#hash.digest();
  }
}

const referencesSql = `
  select count(*) as count, max(id) as last, string_agg(line, '' order by id) as lines from (
    select id, json_build_array(id, kind, account_id, currency, amount, fee, state, held, used, shortfall, due_at,
      deposit_id, provider)::text || E'\\n' as line
    from reference where environment = $1 and id > $2 order by id limit $3
  ) as page`;

/** SHA-256 over what is remembered of all records, in the order of their ids: a line of JSON each. */
export async function hashReferences(
  query: Query,
  { environment }: ShardName,
): Promise<{ readonly hash: Buffer; readonly count: number }> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after = ''; ;) {
    const [page] = await query<{ count: number; last: string | null; lines: string }>(referencesSql, [
      environment,
      after,
      pageRows,
    ]);
    if (typeof page?.last !== 'string') return { hash: hash.digest(), count };
    hash.update(page.lines);
    count += page.count;
    after = page.last;
  }
}
