import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { openDatabase, type Database } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import { issueKey, type PostAs } from './issue-key.ts';
import { MerchantClient, type Json } from './merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export interface NewMerchant {
  readonly id: string;
  readonly keys: { readonly public_key: string; readonly secret_key: string };
  readonly test: MerchantClient;
  readonly live: MerchantClient;
}

/** The running product with both of its listeners, and what stands around it. */
export interface Edge extends AsyncDisposable {
  readonly stack: Stack;
  /** Its state directory. */
  readonly home: string;
  readonly receiver: WebhookReceiver;
  /** As the first operator, or the second. */
  readonly operate: (
    method: string,
    path: string,
    body?: unknown,
    nth?: 0 | 1,
  ) => Promise<{ status: number; body: Json }>;
  readonly simulate: (method: string, path: string, body?: unknown) => Promise<Json>;
  /** Without a rate limit that a test could meet, unless it sets one. */
  readonly newMerchant: (settings?: object) => Promise<NewMerchant>;
  /** A service's database, behind its back. */
  readonly databaseOf: (service: string) => Promise<Database>;
  readonly reference: () => string;
}

/** An operator who may look at everything and change nothing. */
export const auditor = { name: 'carla', token: 'token-of-carla-0123456789', roles: ['auditor'] };

/** Which services share a process (ADR 20): a start of all of them in one costs half as much. */
export interface EdgeOptions {
  readonly layout?: 'apart' | 'together';
  /** Environment variables for every service besides. */
  readonly env?: Record<string, string>;
}

/** Proxies on loopback are believed, so that a test can call from anywhere. */
export async function startEdge({ layout = 'apart', env: more = {} }: EdgeOptions = {}): Promise<Edge> {
  await using starting = new AsyncDisposableStack();
  const home = starting.use(temporaryHome());
  const receiver = starting.use(await startWebhookReceiver());
  const env = { TRUSTED_PROXIES: '127.0.0.1', PROVIDER_POLL_SEC: '1', ...more };
  const stack = starting.use(
    await startStack({ home: home.path, durable: false, quiet: true, env, layout, moreOperators: [auditor] }),
  );
  const operate: Edge['operate'] = async (method, path, body, nth = 0) =>
    await send(`${stack.opsUrl}${path}`, method, body, { authorization: `Bearer ${stack.dev.ops_tokens[nth]}` });
  const newMerchant = async (settings: object = {}): Promise<NewMerchant> => {
    const unlimited = { rate_limit: { per_second: 100_000, burst: 100_000 } };
    const { id } = (await operate('POST', '/ops/accounts', { name: 'Loja', ...unlimited, ...settings })).body;
    const post: PostAs = async (path, body, nth) => (await operate('POST', path, body, nth)).body;
    const keyOf = (environment: 'test' | 'live') => issueKey(post, id, environment);
    const keys = await keyOf('test');
    const [test, live] = [keys, await keyOf('live')].map((pair) => new MerchantClient(stack.baseUrl, pair));
    return { id, keys, test: test!, live: live! };
  };
  let references = 0;
  const running = starting.move();
  return {
    ...{ stack, home: home.path, receiver, operate, newMerchant },
    simulate: async (method, path, body) => (await send(`${stack.simulatorUrl}/control${path}`, method, body)).body,
    databaseOf: async (service) => {
      const url = stack.databaseUrls[`gateway_${service}`] ?? '';
      return running.use(await openDatabase({ url, entities: [], migrations: [], logger: silentLogger }));
    },
    reference: () => `edge-${++references}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function send(url: string, method: string, body: unknown, headers: Record<string, string> = {}) {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { ...type, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

export const recipient = { name: 'Maria da Silva', document: '52998224725' };
