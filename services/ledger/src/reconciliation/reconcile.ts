import type { Pool } from 'pg';
import type { ReconciliationCheck } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
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
import { Findings, LedgerSums } from '#src/reconciliation/ledger-sums.ts';
import { shardLabel, shards, type Shard } from '#src/shards.ts';

/**
 * Checks the ledger by its rows alone, in one snapshot, while the writers continue. Changes nothing. Links and entries of
 * chapters that were verified are not read again: `walkNextChapters` does that, one a night.
 *
 * @param onHead called with the end of each chain
 * @param refusals why the tree of a shard was not signed, by the shard's label
 */
export async function reconcile(
  pool: Pool,
  onHead: (head: ChainHead) => void = () => undefined,
  refusals: ReadonlyMap<string, string> = new Map(),
): Promise<ReconciliationCheck[]> {
  return await inSnapshot(pool, async (snapshot) => {
    const checks: ReconciliationCheck[] = [];
    for (const shard of shards)
      checks.push(...(await reconcileShard(snapshot, shard, onHead, refusals.get(shardLabel(shard)))));
    checks.push(toCheck('provider_balances_agree', 'live', await checkProviderBalances(snapshot)));
    checks.push(toCheck('treasury_agrees', 'live', await checkTreasury(snapshot)));
    return checks;
  });
}

async function reconcileShard(
  snapshot: Snapshot,
  shard: Shard,
  onHead: (head: ChainHead) => void,
  refusal: string | undefined,
): Promise<ReconciliationCheck[]> {
  const sums = new LedgerSums();
  const chain = new Findings();
  const { base, problems } = await readBase(snapshot, shard, sums);
  const earlier = await EarlierHeads.read(snapshot, shard, base);
  const visit = (link: StoredLink) => {
    sums.add(link);
    earlier.pass(link);
  };
  const { links, firstBreak } = await verifyChain(snapshot, shard, visit, base);
  for (const problem of problems) chain.add(problem);
  chain.examined = links;
  if (firstBreak) chain.add(firstBreak.problem);
  else if (earlier.problem) chain.add(earlier.problem);
  else await countCommands(snapshot, shard, links, chain);
  if (refusal !== undefined) chain.add(refusal);
  if (!firstBreak && earlier.head) onHead(earlier.head);
  const stray = firstBreak
    ? undefined
    : await findStrayEntry(snapshot, shard, { from: base, entries: sums.entryCount });
  if (stray !== undefined) sums.entriesEqualPostings.add(`entry ${stray} belongs to no result`);
  const balances = await checkBalances(snapshot, shard, sums);
  const references = await checkReferences(snapshot, shard.environment);
  const entries = await checkEntries(snapshot, shard, base);
  const { environment } = shard;
  return [
    toCheck('chain_intact', environment, chain),
    toCheck('postings_sum_to_zero', environment, sums.sumToZero),
    toCheck('entries_equal_postings', environment, sums.entriesEqualPostings),
    toCheck('postings_equal_balances', environment, balances),
    toCheck('references_follow', environment, references),
    toCheck('entries_equal_available', environment, entries.sums),
    toCheck('entry_numbers_without_gaps', environment, entries.numbers),
  ];
}

const commandsSql = 'select count(*) as count from command where environment = $1 and shard = $2';

/** Each link has the row of its command; a command without a result is in no link. */
async function countCommands(snapshot: Snapshot, { environment, shard }: Shard, links: number, chain: Findings) {
  const [commands] = await snapshot.query<{ count: number }>(commandsSql, [environment, shard]);
  if (commands?.count !== links) chain.add(`${commands?.count ?? 0} commands are decided, ${links} results are there`);
}

function toCheck(name: ReconciliationCheck['name'], environment: Environment, findings: Findings): ReconciliationCheck {
  const { status, examined, texts } = findings;
  return { name, environment, status, examined, findings: texts };
}
