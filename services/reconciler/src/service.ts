import { bookProviderFees, type FeeLine } from '@gateway/contracts/deposits';
import type { ChainLink } from '@gateway/contracts/ledger';
import { followReturnLines, type ReturnLine } from '@gateway/contracts/payouts';
import type { Environment } from '@gateway/contracts/values';
import { callRpc, startRuntime } from '@gateway/messaging';
import { earlierClock, indexedSessions } from '@gateway/persistence';
import { feedRoutes, providerCalls } from '@gateway/provider-feeds';
import { connectLiveProviders } from '@gateway/providers';
import { startLoop, type ServiceContext } from '@gateway/runtime';
import { observeExceptions } from '#src/comparisons/observe-exceptions.ts';
import { readConfig, statementProviders } from '#src/config.ts';
import { sampleDays } from '#src/days/observe-days.ts';
import { waitingExceptions } from '#src/exceptions/waiting-exceptions.ts';
import { sampleMissingFiles } from '#src/files/observe-files.ts';
import { feeIntervalMs, ProviderFees } from '#src/lines/provider-fees.ts';
import { ReturnLines, returnLinesIntervalMs } from '#src/lines/return-lines.ts';
import { compareStatements, statementFeeds } from '#src/lines/statement-feeds.ts';
import { sampleUnexplained } from '#src/matching/observe-matching.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { askBalances, askCheckpoint, askServices } from '#src/sides/sources.ts';
import { dueWorkers, workers } from '#src/workers.ts';

const schema = { entities: [], migrations, poolMax: 6, sessionSettings: indexedSessions };

/** Puts the service together: what the sides say arrives, and is matched item by item. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, { service: 'reconciler', config, database: schema });
  const { database, logger, bus } = runtime;
  const now = await earlierClock(database);
  const { SIMULATOR_URL, STATEMENT_CALLS_PER_MINUTE } = config;
  const connected = { PROVIDERS: statementProviders(config), SIMULATOR_URL };
  const providers = stack.use(await connectLiveProviders(connected, providerCalls(context, now)));
  const statements = { database, logger, now, providers };
  await compareStatements(statements);
  const bookFees = (fees: readonly FeeLine[]) => callRpc(bus, bookProviderFees, { fees: [...fees] });
  const providerFees = new ProviderFees({ database, now, bookFees });
  const bookWaiting = { name: 'provider fees', intervalMs: feeIntervalMs, logger, work: () => providerFees.round() };
  stack.use(startLoop(bookWaiting));
  const followLines = (lines: readonly ReturnLine[]) => callRpc(bus, followReturnLines, { lines: [...lines] });
  const returnLines = new ReturnLines({ database, now, followLines });
  const follow = { name: 'returns on statements', intervalMs: returnLinesIntervalMs, logger };
  stack.use(startLoop({ ...follow, work: () => returnLines.round() }));
  stack.use(statementFeeds(statements, STATEMENT_CALLS_PER_MINUTE).start(runtime.dueWork));
  stack.use(sampleUnexplained(database, logger, now));
  stack.use(sampleMissingFiles(database, logger, now));
  const live = new Set([...providers].map(({ id }) => id));
  stack.use(sampleDays(database, logger, now));
  const asked = {
    sources: askServices(bus),
    balances: () => askBalances(bus),
    checkpoint: () => askCheckpoint(bus),
  };
  const seen = runtime.witnessLedger();
  const witness = { saw: (environment: Environment, link: ChainLink) => seen?.saw(environment, link) };
  const dependencies = {
    database,
    bookFees,
    ...witness,
    ...asked,
    logger,
    now,
    caughtUp: new Map(),
    providers: live,
  };
  stack.use(observeExceptions(database, logger));
  runtime.startWorkers(workers(dependencies));
  runtime.startDueWorkers(dueWorkers(dependencies));
  await runtime.serve([...rpcRoutes(dependencies), ...feedRoutes(database, 'reconciler', now)], waitingExceptions);
  return stack.move();
}
