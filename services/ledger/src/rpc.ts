import {
  getBalance,
  getDisputeHolding,
  listEntries,
  listReconciliations,
  releasePendingDeposits,
  runReconciliation,
} from '@gateway/contracts';
import { answering, type Database, type Logger, type RpcRoute } from '@gateway/service-kit';
import { readDisputeHolding } from '#src/disputes/get-dispute-holding.ts';
import { readReconciliations } from '#src/reconciliation/list-reconciliations.ts';
import { reconcileNow } from '#src/reconciliation/run-reconciliation.ts';
import { releaseAllPending, type AskLedger } from '#src/retention/release-due-deposits.ts';
import { BalanceReader } from '#src/statement/get-balance.ts';
import { readEntries } from '#src/statement/list-entries.ts';

export interface RpcDependencies {
  readonly database: Database;
  readonly askLedger: AskLedger;
  readonly logger: Logger;
  readonly now: () => number;
}

/** What the ledger answers. Nothing here writes a balance: that takes a command. */
export function rpcRoutes(dependencies: RpcDependencies): RpcRoute[] {
  const { database, askLedger, now } = dependencies;
  const balances = new BalanceReader(database);
  return [
    answering(getBalance, async (request) => ({ balances: await balances.read(request) })),
    answering(listEntries, async (request) => await readEntries(database, request)),
    answering(getDisputeHolding, async (request) => await readDisputeHolding(database, request, seconds(now()))),
    answering(releasePendingDeposits, async (request) => {
      await releaseAllPending(database, askLedger, request.environment, request.accountId);
      return { balances: await balances.read(request) };
    }),
    answering(runReconciliation, async () => await reconcileNow(dependencies)),
    answering(listReconciliations, async (request) => await readReconciliations(database, request)),
  ];
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
