import type { Pool } from 'pg';
import type { Environment, ReconciliationCheck } from '@gateway/contracts';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { verifyChain } from '#src/chain/verify-chain.ts';
import type { Snapshot } from '#src/chain/walk-chain.ts';
import { checkBalances } from '#src/reconciliation/check-balances.ts';
import { checkEntries } from '#src/reconciliation/check-entries.ts';
import { checkCommands, checkHeads, readHeads, type RecordedHead } from '#src/reconciliation/check-heads.ts';
import { checkProviderBalances, type NotCompared } from '#src/reconciliation/check-provider-balances.ts';
import { checkReferences } from '#src/reconciliation/check-references.ts';
import { checkSystemAccounts } from '#src/reconciliation/check-system-accounts.ts';
import { Findings, LedgerSums } from '#src/reconciliation/ledger-sums.ts';
import { shards, type Shard } from '#src/shards.ts';

export interface Proof {
  readonly checks: readonly ReconciliationCheck[];
  /** Where the chains stood in that moment. */
  readonly heads: readonly RecordedHead[];
}

/** Proves the ledger from its rows alone, as of one moment, while the writers go on. Changes nothing. */
export async function prove(pool: Pool, notCompared: NotCompared = {}): Promise<Proof> {
  return await inSnapshot(pool, async (snapshot) => {
    const checks: ReconciliationCheck[] = [];
    for (const shard of shards) checks.push(...(await reconcileShard(snapshot, shard)));
    checks.push(toCheck('provider_balances_agree', 'live', await checkProviderBalances(snapshot, notCompared)));
    return { checks, heads: await readHeads(snapshot) };
  });
}

export async function reconcile(pool: Pool): Promise<readonly ReconciliationCheck[]> {
  return (await prove(pool)).checks;
}

async function reconcileShard(snapshot: Snapshot, shard: Shard): Promise<ReconciliationCheck[]> {
  const sums = new LedgerSums();
  const chain = new Findings();
  const { links, firstBreak } = await verifyChain(snapshot, shard, (link) => sums.add(link));
  chain.examined = links;
  if (firstBreak) chain.add(firstBreak.problem);
  const balances = await checkBalances(snapshot, shard, sums);
  const entries = await checkEntries(snapshot, shard.environment);
  const { environment } = shard;
  return [
    toCheck('chain_intact', environment, chain),
    toCheck('postings_sum_to_zero', environment, sums.sumToZero),
    toCheck('entries_equal_postings', environment, sums.entriesEqualPostings),
    toCheck('postings_equal_balances', environment, balances),
    toCheck('entries_equal_available', environment, entries.sums),
    toCheck('entry_numbers_without_gaps', environment, entries.numbers),
    toCheck('recorded_heads_kept', environment, await checkHeads(snapshot, shard)),
    toCheck('commands_equal_results', environment, await checkCommands(snapshot, shard)),
    toCheck('references_equal_chain', environment, await checkReferences(snapshot, environment)),
    toCheck('system_accounts_explained', environment, await checkSystemAccounts(snapshot, shard)),
  ];
}

function toCheck(name: ReconciliationCheck['name'], environment: Environment, findings: Findings): ReconciliationCheck {
  const { status, examined, texts, notes } = findings;
  return { name, environment, status, examined, findings: texts, notes };
}
