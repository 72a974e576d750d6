import type { FastifyInstance } from 'fastify';
import { openDatabase } from '@gateway/persistence';
import { startLoop, type Logger, type Loop, type ServiceContext } from '@gateway/runtime';
import { createHttpServer } from '@gateway/runtime/http';
import { AccessToken } from '#src/bacen/oauth/access-token.ts';
import { mountBacen } from '#src/bacen/routes.ts';
import type { Bank } from '#src/bank/bank.ts';
import { settleDue } from '#src/bank/settle-due.ts';
import { Charge } from '#src/charges/charge.ts';
import { SimulatedClock } from '#src/clock/simulated-clock.ts';
import { readConfig, type Config } from '#src/config.ts';
import { mountControl } from '#src/control/routes.ts';
import { FaultSwitch } from '#src/faults/fault-switch.ts';
import { HeldConnections } from '#src/faults/faulty-route.ts';
import { loadSigningKey, type SigningKey } from '#src/keys/signing-key.ts';
import { listen } from '#src/listen.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { deliverDue, type NotificationSender } from '#src/notifications/deliver.ts';
import { mountSpei } from '#src/spei/routes.ts';
import { mountWoovi } from '#src/woovi/routes.ts';

export interface Simulator extends AsyncDisposable {
  /** Where it listens; differs from PORT when that is 0. */
  readonly port: number;
}

/** Longest time something due waits when nothing wakes the loops. */
const loopIntervalMs = 100;

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
  const signingKey = await loadSigningKey(database);
  const sender: NotificationSender = { database, now: () => clock.now() };
  const notifier = stack.use(startNotifier(sender, config, { logger, signingKey }));
  const faults = await FaultSwitch.load(database);
  const bank: Bank = { ...sender, faults, wake: () => notifier.wake() };
  stack.use(startLoop({ name: 'settle', intervalMs: loopIntervalMs, logger, work: () => settleDue(bank) }));

  const app = createHttpServer({ logger, server: listener.adopt });
  const held = new HeldConnections();
  const publicUrl =
    config.PUBLIC_URL ?? `${config.TLS_CERTIFICATE_FILE ? 'https' : 'http'}://${config.HOST}:${listener.port}`;
  mountDialects(app, { bank, clock, config, held, logger, publicUrl, signingKey });
  await app.ready();
  // Requests under way end before what they work with.
  stack.defer(async () => {
    held[Symbol.dispose]();
    await app.close();
    await listener[Symbol.asyncDispose]();
  });

  const running = stack.move();
  return { port: listener.port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function startNotifier(
  sender: NotificationSender,
  config: Config,
  { logger, signingKey }: { readonly logger: Logger; readonly signingKey: SigningKey },
): Loop {
  const options = {
    retryMs: config.NOTIFICATION_RETRY_MS,
    attemptsMax: config.NOTIFICATION_ATTEMPTS_MAX,
    signingKey: signingKey.privateKey,
    speiSecret: config.SPEI_NOTIFICATION_SECRET,
  };
  return startLoop({ name: 'notify', intervalMs: loopIntervalMs, logger, work: () => deliverDue(sender, options) });
}

interface Parts {
  readonly bank: Bank;
  readonly clock: SimulatedClock;
  readonly config: Config;
  readonly held: HeldConnections;
  readonly logger: Logger;
  readonly publicUrl: string;
  readonly signingKey: SigningKey;
}

function mountDialects(
  app: FastifyInstance,
  { bank, clock, config, held, logger, publicUrl, signingKey }: Parts,
): void {
  const client = { id: config.BACEN_CLIENT_ID, secret: config.BACEN_CLIENT_SECRET };
  const { WOOVI_APP_ID: appId, WOOVI_ACCOUNT_ID: accountId, WOOVI_WEBHOOK_SECRET: webhookSecret } = config;
  const { publicKeyPem } = signingKey;
  mountBacen(app, { bank: { ...bank, client }, held, logger });
  mountWoovi(app, { bank: { ...bank, appId, accountId, webhookSecret, publicKeyPem }, held, logger });
  mountSpei(app, { bank: { ...bank, apiKey: config.SPEI_API_KEY }, held, logger });
  const facts = {
    publicUrl,
    client,
    receivingKey: config.RECEIVING_KEY,
    payingKey: config.PAYING_KEY,
    notificationSecret: config.NOTIFICATION_SECRET,
    appId,
    accountId,
    webhookSecret,
    speiApiKey: config.SPEI_API_KEY,
    speiNotificationSecret: config.SPEI_NOTIFICATION_SECRET,
    signingPublicKey: publicKeyPem,
  };
  mountControl(app, { bank, clock, facts });
}
