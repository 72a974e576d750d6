import { ledgerCommand, streams } from '@gateway/contracts';
import { sandboxProvider } from '@gateway/providers';
import {
  Asker,
  connectBus,
  ensureStreams,
  deadLetterRoutes,
  healthRoute,
  openDatabase,
  serveRpc,
  startConsumer,
  startOutboxRelay,
  type ServiceContext,
} from '@gateway/service-kit';
import { readConfig } from '#src/config.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { takeNotification } from '#src/notifications/take-notification.ts';
import { observePayouts, sampleOpenPayouts } from '#src/payout/observe-payouts.ts';
import { PayoutEntity } from '#src/payout/payout-entity.ts';
import { sessionSettings } from '#src/payout/payout-statements.ts';
import { PayoutTable } from '#src/payout/payout-table.ts';
import { LiveRoutes } from '#src/providers/live-routes.ts';
import type { PayoutRoutes } from '#src/providers/payout-routes.ts';
import { SoonCarriedOn } from '#src/recovery/carry-on-soon.ts';
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
  const url = config.DATABASE_URL;
  const database = stack.use(
    await openDatabase({ url, entities, migrations, logger, signal, poolMax: databasePoolMax, sessionSettings }),
  );
  readiness.add('database', () => database.ping());
  const bus = stack.use(
    await connectBus({ url: config.NATS_URL, name, logger, signal, streamReplicas: config.STREAM_REPLICAS }),
  );
  readiness.add('bus', () => bus.ping());
  await ensureStreams(bus, [streams.payoutsEvents, streams.providerNotifications], logger);
  const asker = stack.use(new Asker(bus));
  const now = () => new Date();
  const live = stack.use(new LiveRoutes(now));
  live.load(config.PROVIDERS, config.SIMULATOR_URL, logger);
  const soon: SoonCarriedOn = stack.use(new SoonCarriedOn((payout) => advanceOrLog(dependencies, payout)));
  const dependencies: Dependencies = {
    database,
    payouts: new PayoutTable(database),
    askLedger: (command, timeoutMs) => asker.ask(ledgerCommand, command, { timeoutMs }),
    payoutRoutes: payoutRoutes(now, live),
    carryOnSoon: (payout, afterMs) => soon.add(payout, afterMs),
    logger,
    now,
  };
  stack.use(observePayouts());
  stack.use(sampleOpenPayouts(database, logger));
  stack.use(startOutboxRelay({ database, bus, logger }));
  stack.use(startDuePayouts(dependencies, 'test'));
  stack.use(startDuePayouts(dependencies, 'live'));
  stack.use(
    startConsumer({
      bus,
      database,
      logger,
      stream: streams.providerNotifications,
      durable: 'payouts-notifications',
      concurrency: notificationsAtOnce,
      handle: async (messages) => {
        for (const message of messages) await takeNotification(dependencies, message);
      },
    }),
  );
  stack.use(
    serveRpc(
      bus,
      [...rpcRoutes(dependencies), ...deadLetterRoutes(database, 'payouts'), healthRoute(readiness, 'payouts')],
      logger,
    ),
  );
  // Ready means that the server knows our subscriptions: a question before that is answered "nobody there".
  await bus.ping();
  return stack.move();
}

/** Test mode never touches a payment provider (spec 5.3); the live environment has those that are configured. */
function payoutRoutes(now: () => Date, live: LiveRoutes): PayoutRoutes {
  return {
    test: [
      {
        provider: sandboxProvider({ now }),
        currencies: ['BRL', 'MXN'],
        callTimeoutMs: sandboxTimeoutMs,
        // It answers from the record alone: what it does not know now, it never will.
        neverArrived: { lookups: 1, afterMs: 0 },
        answersFromRecord: true,
      },
    ],
    get live() {
      return live.routes;
    },
  };
}
