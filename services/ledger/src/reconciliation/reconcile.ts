import type { Pool } from 'pg';
import type { ReconciliationCheck } from '@gateway/contracts/ledger';
import type { StoredLink } from '#src/chain/link.ts';
import { inSnapshot, type Snapshot } from '#src/chain/snapshot.ts';
import { findStrayEntry } from '#src/chain/stray-entries.ts';
import { verifyChain } from '#src/chain/verify-chain.ts';
import { readBase } from '#src/reconciliation/chapter-base.ts';
import { checkBalances } from '#src/reconciliation/check-balances.ts';
import { checkEntries } from '#src/reconciliation/check-entries.ts';
import { EarlierHeads, type ChainHead } from '#src/reconciliation/chain-heads.ts';
import { checkReferences } from '#src/reconciliation/check-references.ts';
import { checkProviderBalances } from '#src/reconciliation/check-provider-balances.ts';
import { checkTreasury } from '#src/reconciliation/check-treasury.ts';
import { type Finding, Findings } from '#src/reconciliation/findings.ts';
import { LedgerSums } from '#src/reconciliation/ledger-sums.ts';
import { shardLabel, shards, type Shard } from '#src/shards.ts';

/**
 * Checks the ledger by its rows alone, in one snapshot, while the writers continue. Changes nothing. Links and entries of
 * chapters that were verified are not read again: `walkNextChapters` does that, one a night.
 *
 * @param onHead called with the end of each chain
 * @param refusals why the tree of a shard was not signed, or not rightly, by the shard's label
 * @param onFindings called with what a check found, one by one
 */
export async function reconcile(
  pool: Pool,
  onHead: (head: ChainHead) => void = () => undefined,
  refusals: ReadonlyMap<string, string> = new Map(),
  onFindings: (of: CheckName, findings: readonly Finding[]) => void = () => undefined,
): Promise<ReconciliationCheck[]> {
  return await inSnapshot(pool, async (snapshot) => {
    const results: CheckResult[] = [];
    for (const shard of shards)
      results.push(...(await reconcileShard(snapshot, shard, onHead, refusals.get(shardLabel(shard)))));
    results.push({
      name: 'provider_balances_agree',
      environment: 'live',
      result: await checkProviderBalances(snapshot),
    });
    results.push({ name: 'treasury_agrees', environment: 'live', result: await checkTreasury(snapshot) });
    for (const { name, environment, result } of results) onFindings({ name, environment }, result.kept);
    return results.map(toCheck);
  });
}

/** Which check, of which environment. */
export type CheckName = Pick<ReconciliationCheck, 'name' | 'environment'>;

interface CheckResult extends CheckName {
  readonly result: Findings;
}

async function reconcileShard(
  snapshot: Snapshot,
  shard: Shard,
  onHead: (head: ChainHead) => void,
  refusal: string | undefined,
): Promise<CheckResult[]> {
  const sums = new LedgerSums();
  const chain = new Findings();
  const { base, problems } = await readBase(snapshot, shard, sums);
  const earlier = await EarlierHeads.read(snapshot, shard, base);
  const visit = (link: StoredLink) => {
    sums.add(link);
    earlier.pass(link);
  };
  const { links, firstBreak } = await verifyChain(snapshot, shard, visit, base);
  for (const problem of problems) chain.add(problem, { kind: 'chapter_differs' });
  chain.examined = links;
  if (firstBreak) chain.add(firstBreak.problem, { kind: 'chain_broken' });
  else if (earlier.problem) chain.add(earlier.problem, { kind: 'history_differs' });
  else await countCommands(snapshot, shard, links, chain);
  if (refusal !== undefined) chain.add(refusal, { kind: 'tree_not_signed' });
  if (!firstBreak && earlier.head) onHead(earlier.head);
  const stray = firstBreak
    ? undefined
    : await findStrayEntry(snapshot, shard, { from: base, entries: sums.entryCount });
  if (stray !== undefined)
    sums.entriesEqualPostings.add(`entry ${stray} belongs to no result`, { kind: 'stray_entry', entryId: stray });
  const balances = await checkBalances(snapshot, shard, sums);
  const references = await checkReferences(snapshot, shard.environment);
  const entries = await checkEntries(snapshot, shard, base);
  const { environment } = shard;
  return [
    { name: 'chain_intact', environment, result: chain },
    { name: 'postings_sum_to_zero', environment, result: sums.sumToZero },
    { name: 'entries_equal_postings', environment, result: sums.entriesEqualPostings },
    { name: 'postings_equal_balances', environment, result: balances },
    { name: 'references_follow', environment, result: references },
    { name: 'entries_equal_available', environment, result: entries.sums },
    { name: 'entry_numbers_without_gaps', environment, result: entries.numbers },
  ];
}

const commandsSql = 'select count(*) as count from command where environment = $1 and shard = $2';

/** Each link has the row of its command; a command without a result is in no link. */
async function countCommands(snapshot: Snapshot, { environment, shard }: Shard, links: number, chain: Findings) {
  const [commands] = await snapshot.query<{ count: number }>(commandsSql, [environment, shard]);
  const found = commands?.count ?? 0;
  if (found === links) return;
  const about = { kind: 'count_differs', expected: links, found };
  chain.add(`${found} commands are decided, ${links} results are there`, about);
}

function toCheck({ name, environment, result: { status, examined, texts } }: CheckResult): ReconciliationCheck {
  return { name, environment, status, examined, findings: texts };
}
