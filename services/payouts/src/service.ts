import { getFreeze, getKeyHolder } from '@gateway/contracts/accounts';
import { listProviders, providersChangedSignal } from '@gateway/contracts/deposits';
import { ledgerCommand } from '@gateway/contracts/ledger';
import { callRpc, hearSignal, startRuntime } from '@gateway/messaging';
import { earlierClock, indexedSessions } from '@gateway/persistence';
import { callCounts, feedRoutes, providerCalls } from '@gateway/provider-feeds';
import { connectLiveProviders } from '@gateway/providers';
import type { ServiceContext } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { consumers } from '#src/consumers.ts';
import type { ConnectorDependencies } from '#src/creation/create-payout.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { observePayouts, sampleOpenPayouts } from '#src/payout/observe-payouts.ts';
import { PayoutEntity, type PayoutRow } from '#src/payout/payout-entity.ts';
import { PayoutTable } from '#src/payout/payout-table.ts';
import { payoutsUnderWay, waitingPayouts } from '#src/payout/waiting-payouts.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { withFeeds } from '#src/provider-feed/payout-feeds.ts';
import { startRechecks } from '#src/provider-feed/recheck-payouts.ts';
import { liveRoutesOf, sandboxRoute } from '#src/providers/payout-routes.ts';
import { ProviderSwitches } from '#src/providers/provider-switches.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { resumeOrLog, startDuePayouts } from '#src/steps/due-payouts.ts';
import { LeasedPayouts } from '#src/steps/leased-payouts.ts';

const schema = { entities: [PayoutEntity], migrations, poolMax: 16, sessionSettings: indexedSessions };

/** What is counted of calls to providers is written so often. */
const callsIntervalMs = 15_000;

/** A payout that is about to be sent waits no longer for the answer whether its account is frozen; then it is asked again. */
const freezeTimeoutMs = 2_000;

/** Puts the service together: payouts step by step to their end, at the providers and in the ledger. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, { service: 'payouts', config, database: schema });
  const { database, bus, logger } = runtime;
  const ledger = runtime.connectLedger();
  const now = await earlierClock(database);
  const providers = stack.use(await connectLiveProviders(config, providerCalls(context, now)));
  const ask = async () => (await callRpc(bus, listProviders, {})).providers;
  const switches = stack.use(new ProviderSwitches({ ask, logger }));
  stack.use(hearSignal(bus, providersChangedSignal, () => switches.askAgain()));
  const live = liveRoutesOf(providers, switches);
  if (live.length > 0) context.readiness.add('provider switches', async () => switches.requireKnown());
  const payouts = new PayoutTable(database, (dueAt) => runtime.dueWork.announce(dueAt));
  const unchanged = (some: readonly PayoutRow[]) => payouts.unchanged(some);
  const resume = (payout: PayoutRow): Promise<void> => resumeOrLog(dependencies, payout);
  const withoutFeeds: ConnectorDependencies = {
    database,
    payouts,
    leased: stack.use(new LeasedPayouts({ unchanged, resume, logger })),
    askLedger: (command, timeoutMs) => ledger.request(ledgerCommand, command, { timeoutMs }),
    holderOf: (publicKey, timeoutMs) => callRpc(bus, getKeyHolder, { publicKey }, { timeoutMs }),
    freezeOf: async ({ environment, accountId }) =>
      (await callRpc(bus, getFreeze, { environment, accountId }, { timeoutMs: freezeTimeoutMs })).frozen,
    rememberedSince: () => payouts.rememberedSince(),
    payoutRoutes: { test: [sandboxRoute(now, switches)], live },
    logger,
    now,
  };
  const dependencies: ConnectorDependencies & ProviderFeedDependencies = withFeeds(
    withoutFeeds,
    config.PROVIDER_POLL_SEC * 1_000,
  );
  const ids = [...providers].map(({ id }) => id);
  stack.use(observePayouts());
  stack.use(sampleOpenPayouts(database, logger, ids));
  stack.use(startDuePayouts(dependencies, 'test', runtime.dueWork));
  stack.use(startDuePayouts(dependencies, 'live', runtime.dueWork));
  stack.use(dependencies.feeds.start(runtime.dueWork));
  stack.use(startRechecks(dependencies, config.PAYOUT_RECHECKS_PER_MINUTE));
  runtime.startWorkers([
    { name: 'provider calls', intervalMs: callsIntervalMs, work: () => callCounts.write(database, now()) },
  ]);
  runtime.startConsumers(consumers(dependencies));
  await runtime.serve(
    [...rpcRoutes(dependencies), ...feedRoutes(database, 'payouts', now)],
    waitingPayouts,
    payoutsUnderWay,
  );
  return stack.move();
}
