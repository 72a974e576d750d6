import { DueWork, openDatabase } from '@gateway/persistence';
import type { ServiceContext } from '@gateway/runtime';
import { createHttpServer, shutdownOf } from '@gateway/runtime/http';
import { Charge } from '#src/account/charge.ts';
import { AccessToken } from '#src/bacen/oauth.ts';
import type { Bank } from '#src/bank/bank.ts';
import { deliverDue, firstNotificationDue, type NotificationSender } from '#src/bank/deliver.ts';
import { HeldConnections } from '#src/bank/held-connections.ts';
import { SimulatedClock } from '#src/bank/simulated-clock.ts';
import { mountBitso } from '#src/bitso/routes.ts';
import { publicUrlOf, readConfig } from '#src/config.ts';
import { mountControl } from '#src/control/routes.ts';
import { openDialects } from '#src/dialects.ts';
import { FaultSwitch } from '#src/faults/fault-switch.ts';
import { listen } from '#src/listen.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { firstSettlementDue, settleDue } from '#src/movements/settle-due.ts';

export interface Simulator extends AsyncDisposable {
  /** Where it listens; differs from PORT when that is 0. */
  readonly port: number;
}

/** A payment provider on the wire: one listener, one dialect per path, one bank behind them. It has no bus: no real one does. */
export async function startService({ env, logger, readiness, signal }: ServiceContext): Promise<Simulator> {
  const config = readConfig(env);
  const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = config;
  await using stack = new AsyncDisposableStack();
  const listener = stack.use(await listen(config));
  const entities = [Charge, AccessToken];
  const database = stack.use(await openDatabase({ url, tls, entities, migrations, logger, signal }));
  readiness.add('database', () => database.ping());

  const clock = await SimulatedClock.load(database);
  const { dialects, wooviPublicKey } = await openDialects(config, database);
  const sender: NotificationSender = { database, dialects, now: () => clock.now() };
  const dueWork = stack.use(new DueWork({ database, logger, now: sender.now }));
  // What was done may have made something else due, and so may any call that writes.
  const lookAgain = () => dueWork.announce(clock.now());
  const notify = async () => {
    const { NOTIFICATION_RETRY_MS: retryMs, NOTIFICATION_ATTEMPTS_MAX: attemptsMax } = config;
    const more = await deliverDue(sender, { retryMs, attemptsMax });
    lookAgain();
    return more;
  };
  const notifier = stack.use(dueWork.start({ name: 'notify', firstDue: firstNotificationDue, work: notify }));
  const faults = await FaultSwitch.load(database);
  const bank: Bank = { ...sender, faults, wake: () => notifier.wake() };
  const settle = async () => {
    await settleDue(bank);
    lookAgain();
  };
  stack.use(dueWork.start({ name: 'settle', firstDue: firstSettlementDue, work: settle }));

  const app = createHttpServer({ logger, server: listener.adopt });
  app.addHook('onResponse', async ({ method }) => {
    if (method !== 'GET') lookAgain();
  });
  const held = new HeldConnections();
  for (const dialect of Object.values(dialects)) dialect.mount(app, { bank, held, logger });
  mountBitso(app, { bank, held, logger, apiKey: config.BITSO_API_KEY, apiSecret: config.BITSO_API_SECRET });
  const publicUrl = publicUrlOf(config, listener.port);
  mountControl(app, { bank, clock, publicUrl, accounts: config.ACCOUNTS, wooviPublicKey });
  await app.ready();
  stack.use(shutdownOf(app, listener));
  // Connections that a fault holds open end first: the server waits for them.
  stack.use(held);

  const running = stack.move();
  return { port: listener.port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
