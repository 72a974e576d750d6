import { streams } from '@gateway/contracts/broker';
import { listProviders } from '@gateway/contracts/deposits';
import { ledgerCommand } from '@gateway/contracts/ledger';
import { connectLiveProviders, sandboxProvider } from '@gateway/providers';
import {
  Asker,
  callRpc,
  busSettings,
  connectBus,
  deadLetterRoutes,
  healthRoute,
  keepRoomInStreams,
  serveRpc,
  startConsumer,
  startOutboxRelay,
  type Bus,
} from '@gateway/messaging';
import { openDatabase } from '@gateway/persistence';
import { feedRoutes, watchUnreadableAnswers } from '@gateway/provider-feeds';
import { untilReachable, type ServiceContext } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { payoutFeeds } from '#src/feeds/payout-feeds.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { takeNotification } from '#src/notifications/take-notification.ts';
import { observePayouts, sampleOpenPayouts } from '#src/payout/observe-payouts.ts';
import { PayoutEntity } from '#src/payout/payout-entity.ts';
import { sessionSettings } from '#src/payout/payout-statements.ts';
import { PayoutTable } from '#src/payout/payout-table.ts';
import { liveRoutesOf } from '#src/providers/live-routes.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';
import { ProviderSwitches } from '#src/providers/provider-switches.ts';
import { SoonCarriedOn } from '#src/recovery/carry-on-soon.ts';
import { startRechecks } from '#src/rechecks/due-rechecks.ts';
import { advanceOrLog, startDuePayouts } from '#src/recovery/due-payouts.ts';
import { rpcRoutes } from '#src/rpc.ts';

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
  const soon: SoonCarriedOn = stack.use(new SoonCarriedOn((payout) => advanceOrLog(dependencies, payout)));
  const dependencies: Dependencies = {
    database,
    payouts: new PayoutTable(database),
    askLedger: (command, timeoutMs) => asker.ask(ledgerCommand, command, { timeoutMs }),
    payoutRoutes: { test: [sandboxRoute(now, switches)], live },
    carryOnSoon: (payout, afterMs) => soon.add(payout, afterMs),
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

function takeNotifications(bus: Bus, dependencies: Dependencies): AsyncDisposable {
  const { database, logger } = dependencies;
  return startConsumer({
    bus,
    database,
    logger,
    stream: streams.providerNotifications,
    durable: streams.providerNotifications.readers[1].durable,
    concurrency: notificationsAtOnce,
    handle: async (messages) => {
      for (const message of messages) await takeNotification(dependencies, message);
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
