import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { callRpc, ensureStreams, type Bus, type CallOptions } from '@gateway/messaging';
import { kitMigrations, type Database } from '@gateway/persistence';
import { Readiness, type ServiceContext } from '@gateway/runtime';
import {
  createTestBus,
  createTestDatabase,
  programEnvironment,
  silentLogger,
  testBusSecretsKey,
  testNatsUrl,
} from '@gateway/test-kit';
import { streams } from '@gateway/contracts/broker';
import type { RequestOf } from '@gateway/contracts/messages';
import {
  deleteWebhook,
  listDeliveries,
  registerWebhook,
  type Delivery,
  type Webhook,
  type WebhookEvent,
} from '@gateway/contracts/webhooks';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { migrations } from '#src/migrations/index.ts';
import { startService } from '#src/service.ts';
import type { Merchant } from './events.ts';

export interface Harness extends AsyncDisposable {
  /** What the service is configured with. */
  readonly env: Readonly<Record<string, string>>;
  readonly bus: Bus;
  readonly database: Database;
  start(): Promise<AsyncDisposable>;
  register(merchant: Merchant, url: string, events?: WebhookEvent[]): Promise<Webhook & { secret: string }>;
  remove(webhook: Webhook): Promise<void>;
  deliveries(webhook: Webhook, filter?: Partial<RequestOf<typeof listDeliveries>>): Promise<Delivery[]>;
}

const secretsKey = Buffer.alloc(32, 7).toString('base64');

/** The whole service on a database and a NATS account of its own. */
export async function createHarness(env: Record<string, string> = {}): Promise<Harness> {
  await using stack = new AsyncDisposableStack();
  const schema = { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] };
  const testDatabase = stack.use(await createTestDatabase('webhooks', schema));
  const bus = stack.use(await createTestBus());
  // Their owners make them, and are not here.
  const { depositsEvents, payoutsEvents, ledgerEvents, webhooksEvents } = streams;
  await ensureStreams(bus, [depositsEvents, payoutsEvents, ledgerEvents, webhooksEvents], silentLogger);
  const call: CallOptions = { timeoutMs: 10_000 };

  const configured = {
    DATABASE_URL: testDatabase.url,
    NATS_URL: testNatsUrl(),
    SECRETS_KEY: secretsKey,
    BUS_SECRETS_KEY: testBusSecretsKey,
    WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
    ...env,
  };
  const start = () =>
    startService({
      name: 'webhooks',
      env: configured,
      logger: silentLogger,
      readiness: new Readiness(),
      signal: new AbortController().signal,
    } satisfies ServiceContext);

  const owned = stack.move();
  return {
    env: configured,
    bus,
    database: testDatabase.database,
    start,
    register: async (merchant, url, events = []) => {
      const request = { ...merchant, apiVersion: '0.1' as const, name: 'shop', url, events };
      const { webhook, secret } = await callRpc(bus, registerWebhook, request, call);
      return { ...webhook, secret };
    },
    remove: async ({ id, environment, accountId }) => {
      await callRpc(bus, deleteWebhook, { id, environment, accountId }, call);
    },
    deliveries: async ({ id, environment, accountId }, filter = {}) => {
      const request = { environment, accountId, webhookId: id, limit: 200, ...filter };
      return (await callRpc(bus, listDeliveries, request, call)).deliveries;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service as a process of its own, as in production. */
export class ServiceProcess implements AsyncDisposable {
  readonly child: ChildProcess;

  constructor(env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [main], {
      env: { ...programEnvironment(), LOG_LEVEL: 'silent', ...env },
      stdio: 'ignore',
    });
  }

  /** kill -9: nothing of it runs any further. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
