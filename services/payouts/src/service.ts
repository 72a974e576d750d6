import { streams } from '@gateway/contracts/broker';
import { listProviders } from '@gateway/contracts/deposits';
import { ledgerCommand } from '@gateway/contracts/ledger';
import {
  Asker,
  type Bus,
  busSettings,
  callRpc,
  connectBus,
  deadLetterRoutes,
  healthRoute,
  keepRoomInStreams,
  serveRpc,
  startConsumer,
  startOutboxRelay,
} from '@gateway/messaging';
import { openDatabase } from '@gateway/persistence';
import { feedRoutes, watchUnreadableAnswers } from '@gateway/provider-feeds';
import { connectLiveProviders, sandboxProvider } from '@gateway/providers';
import { type ServiceContext, untilReachable } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { observePayouts, sampleOpenPayouts } from '#src/payout/observe-payouts.ts';
import { PayoutEntity } from '#src/payout/payout-entity.ts';
import { sessionSettings } from '#src/payout/payout-statements.ts';
import { PayoutTable } from '#src/payout/payout-table.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { payoutFeeds } from '#src/provider-feed/payout-feeds.ts';
import { startRechecks } from '#src/provider-feed/recheck-payouts.ts';
import { liveRoutesOf, type PayoutRoute } from '#src/routing/payout-routes.ts';
import { ProviderSwitches } from '#src/routing/provider-switches.ts';
import { rpcRoutes } from '#src/rpc.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeOrLog, startDuePayouts } from '#src/steps/due-payouts.ts';
import { ResumeTimer } from '#src/steps/resume-soon.ts';

const databasePoolMax = 16;
const notificationsAtOnce = 8;
/** The sandbox talks to nobody. */
const sandboxTimeoutMs = 1_000;

export async function startService({ name, env, logger, readiness, signal }: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(env);
  await using stack = new AsyncDisposableStack();
  const entities = [PayoutEntity];
  const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = config;
  const database = stack.use(
    await openDatabase({ url, tls, entities, migrations, logger, signal, poolMax: databasePoolMax, sessionSettings }),
  );
  readiness.add('database', () => database.ping());
  const bus = stack.use(await connectBus({ ...busSettings(config), name, logger, signal }));
  readiness.add('bus', () => bus.ping());
  stack.use(keepRoomInStreams(bus, [streams.payoutsEvents], logger));
  const asker = stack.use(new Asker(bus));
  const now = () => new Date();
  const providers = stack.use(
    await connectLiveProviders(config, {
      now,
      onUnreadableOf: watchUnreadableAnswers(logger),
      untilReachable: (connect) => untilReachable({ what: 'the provider simulator', logger, signal, connect }),
    }),
  );
  const ask = async () => (await callRpc(bus, listProviders, {})).providers;
  const switches = stack.use(new ProviderSwitches({ ask, logger }));
  const live = liveRoutesOf(providers, switches);
  if (live.length > 0) readiness.add('provider switches', async () => requireKnown(switches));
  const soon: ResumeTimer = stack.use(new ResumeTimer((payout) => resumeOrLog(dependencies, payout)));
  const dependencies: StepsDependencies = {
    database,
    payouts: new PayoutTable(database),
    askLedger: (command, timeoutMs) => asker.ask(ledgerCommand, command, { timeoutMs }),
    payoutRoutes: { test: [sandboxRoute(now, switches)], live },
    resumeSoon: (payout, afterMs) => soon.add(payout, afterMs),
    logger,
    now,
  };
  stack.use(observePayouts());
  stack.use(
    sampleOpenPayouts(
      database,
      logger,
      [...providers].map(({ id }) => id),
    ),
  );
  stack.use(startOutboxRelay({ database, bus, logger }));
  stack.use(startDuePayouts(dependencies, 'test'));
  stack.use(startDuePayouts(dependencies, 'live'));
  stack.use(payoutFeeds(dependencies, config.PROVIDER_POLL_SEC * 1_000).start());
  stack.use(startRechecks(dependencies, config.PAYOUT_RECHECKS_PER_MINUTE));
  stack.use(takeNotifications(bus, dependencies));
  stack.use(
    await serveRpc(
      bus,
      [
        ...rpcRoutes(dependencies),
        ...deadLetterRoutes(database, 'payouts'),
        ...feedRoutes(database, 'payouts'),
        healthRoute(readiness, 'payouts'),
      ],
      logger,
    ),
  );
  return stack.move();
}

function takeNotifications(bus: Bus, dependencies: StepsDependencies): AsyncDisposable {
  const { database, logger } = dependencies;
  return startConsumer({
    bus,
    database,
    logger,
    stream: streams.providerNotifications,
    durable: streams.providerNotifications.readers[1].durable,
    concurrency: notificationsAtOnce,
    handle: async (messages) => {
      for (const message of messages) await handleNotification(dependencies, message);
    },
  });
}

/** Test mode never touches a payment provider (spec 5.3). */
function sandboxRoute(now: () => Date, switches: ProviderSwitches): PayoutRoute {
  const provider = sandboxProvider({ now });
  return {
    provider,
    currencies: ['BRL', 'MXN'],
    callTimeoutMs: sandboxTimeoutMs,
    // It answers from the record alone: what it does not know now, it never will.
    neverArrived: { lookups: 1, afterMs: 0 },
    answersFromRecord: true,
    isEnabled: () => switches.isOn('test', provider.id),
  };
}

/** Before it is known which live providers may be used, live payouts are answered PROVIDER_UNAVAILABLE. */
function requireKnown(switches: ProviderSwitches): void {
  if (!switches.isKnown) throw new Error('nobody has told which providers are on');
}
