import { once } from 'node:events';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import {
  providersFromConfig,
  simulatorConfigs,
  type ChargeInput,
  type ChargeReceipt,
  type ConnectedProvider,
  type FeedName,
  type ProviderConfig,
  type ProviderEvent,
} from '@gateway/providers';
import { rowsOf } from '@gateway/providers/testing';
import type { Database } from '@gateway/persistence';
import { Readiness } from '@gateway/runtime';
import { createTestDatabase, eventually, silentLogger } from '@gateway/test-kit';
import { Charge } from '#src/account/charge.ts';
import { AccessToken } from '#src/bacen/oauth.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { startService } from '#src/service.ts';

export type ProviderId = 'bacen' | 'efi' | 'spei' | 'woovi';

/** A notification as it arrived and what its adapter made of it. */
export interface ReceivedNotification {
  readonly provider: ProviderId;
  readonly ok: boolean;
  readonly grade?: string;
  readonly events: readonly ProviderEvent[];
  readonly body: string;
}

export interface Wiring {
  /** Where an adapter finds the simulator instead of at its own address. */
  readonly via: (id: ProviderId, simulatorUrl: string) => Promise<string>;
  readonly callTimeoutMs: number;
}

/** Long enough for an answer on loopback, short enough to wait for one that never comes. */
const callTimeoutMs = 1_000;
const everyAccount = 'bacen,efi,spei,woovi';
const direct: Wiring = { via: async (_id, url) => url, callTimeoutMs };

/** The simulator on a free port and the adapters in front of it, as the gateway has them. */
export class WireBench implements AsyncDisposable {
  readonly url: string;
  readonly received: ReceivedNotification[] = [];
  /** What the gateway's listener answers. */
  doorStatus = 200;
  #aheadMs = 0;
  readonly #database: Database;
  readonly #stack: AsyncDisposableStack;
  #providers: ReadonlyMap<string, ConnectedProvider> = new Map();
  #doorUrl = '';

  private constructor(url: string, database: Database, stack: AsyncDisposableStack) {
    this.url = url;
    this.#database = database;
    this.#stack = stack;
  }

  static async start(env: Record<string, string> = {}, wiring: Partial<Wiring> = {}): Promise<WireBench> {
    await using stack = new AsyncDisposableStack();
    const schema = { entities: [Charge, AccessToken], migrations };
    const { url: databaseUrl, database } = stack.use(await createTestDatabase('psp-simulator', schema));
    const simulator = stack.use(
      await startService({
        name: 'psp-simulator',
        env: { DATABASE_URL: databaseUrl, PORT: '0', NOTIFICATION_RETRY_MS: '20', ACCOUNTS: everyAccount, ...env },
        logger: silentLogger,
        readiness: new Readiness(),
        signal: new AbortController().signal,
      }),
    );
    const bench = new WireBench(`http://127.0.0.1:${simulator.port}`, database, stack.move());
    await bench.#connect({ ...direct, ...wiring });
    return bench;
  }

  now = (): Date => new Date(Date.now() + this.#aheadMs);

  provider(id: ProviderId): ConnectedProvider {
    const provider = this.#providers.get(id);
    if (!provider) throw new Error(`no provider ${id}`);
    return provider;
  }

  /** Has the provider notify the listener from now on. */
  async register(id: ProviderId): Promise<void> {
    const address = new URL(`${this.#doorUrl}/providers/${id}/notifications`);
    await eventually(async () =>
      expect(await this.provider(id).registerNotifications?.(address)).toMatchObject({ ok: true }),
    );
  }

  eventsOf(id: ProviderId): ProviderEvent[] {
    return this.received.filter(({ provider }) => provider === id).flatMap(({ events }) => events);
  }

  /** Waits for an event of this type. */
  async eventOf(id: ProviderId, type: ProviderEvent['type']): Promise<ProviderEvent> {
    return await eventually(() => {
      const event = this.eventsOf(id).find((candidate) => candidate.type === type);
      if (!event) throw new Error(`no ${type} yet`);
      return event;
    });
  }

  /** Waits for an event with these members. */
  async eventWith(id: ProviderId, members: object): Promise<ProviderEvent> {
    return await eventually(() => {
      const event = this.eventsOf(id).find((candidate) => isDeepStrictEqual({ ...candidate, ...members }, candidate));
      if (!event) throw new Error(`no ${JSON.stringify(members)} yet`);
      return event;
    });
  }

  /** What the provider's lists say of the last minutes; of some of them, where they are named. */
  async listed(id: ProviderId, lastMs = 60_000, names?: readonly FeedName[]): Promise<ProviderEvent[]> {
    const from = new Date(this.now().getTime() - lastMs);
    const to = new Date(this.now().getTime() + 60_000);
    const events: ProviderEvent[] = [];
    for (const feed of this.provider(id).feeds ?? []) {
      if (names && !names.includes(feed.name)) continue;
      for (const row of await rowsOf(feed, { from, to })) {
        const item = feed.read(row);
        if (item.kind === 'unreadable') throw new Error(`unreadable in ${feed.name}: ${item.shape}`);
        events.push(...item.events);
      }
    }
    return events;
  }

  async control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}/control${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>);
  }

  async passTime(ms: number): Promise<void> {
    this.#aheadMs += ms;
    await this.control('POST', '/clock', { advance_ms: ms });
  }

  async pay(charge: Pick<ChargeInput, 'ref' | 'money'>, request: object = {}): Promise<ChargeReceipt> {
    const paid = await this.control('POST', `/charges/${charge.ref}/pay`, request);
    return {
      e2eId: String(paid['e2e_id']),
      money: { currency: charge.money.currency, amount: Number(paid['amount_cents']) },
      paidAt: new Date(String(paid['paid_at'])),
      payer: paid['payer'] as { name: string },
    };
  }

  /** How many calls have met a fault so far. */
  async faultsMet(): Promise<number> {
    const [met] = await this.#database.query<{ count: number }>(
      `select (select count(*) from magic_fault_done) + coalesce((select sum(calls) from fault_rule), 0)::bigint as count`,
    );
    return met?.count ?? 0;
  }

  /** How often money was sent under a reference. */
  async transfersOf(ref: string): Promise<number> {
    return Number((await this.control('GET', `/transfers?reference=${ref}`))['count']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #connect({ via, callTimeoutMs: timeoutMs }: Wiring): Promise<void> {
    const shown: ProviderConfig[] = await simulatorConfigs(this.url);
    const configs = await Promise.all(
      shown.map(async (config) => {
        const origin = await via(config.id as ProviderId, this.url);
        return { ...config, ...addressesAt(config, origin), callTimeoutMs: timeoutMs };
      }),
    );
    const providers = this.#stack.use(providersFromConfig(configs, { now: this.now }));
    this.#providers = new Map([...providers].map((provider) => [provider.id, provider]));
    await this.#openDoor();
  }

  /** Stands in for the gateway's public listener: hands what arrives to the adapter, as the gateway does. */
  async #openDoor(): Promise<void> {
    const server = createServer((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        void this.#receive(message.url ?? '', message.headers, Buffer.concat(chunks)).then(() =>
          response.writeHead(this.doorStatus).end(),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    this.#doorUrl = `http://127.0.0.1:${port}`;
    this.#stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
  }

  async #receive(path: string, headers: Record<string, string | string[] | undefined>, rawBody: Buffer): Promise<void> {
    const url = new URL(path, this.#doorUrl);
    const [, , id = '', , ...rest] = url.pathname.split('/');
    const result = await this.provider(id as ProviderId).verifyAndParseNotification({
      rawBody,
      headers,
      query: Object.fromEntries(url.searchParams),
      pathSuffix: rest.length > 0 ? `/${rest.join('/')}` : '',
      remoteIp: '127.0.0.1',
      receivedAt: this.now(),
    });
    this.received.push({
      provider: id as ProviderId,
      ok: result.ok,
      ...(result.ok ? { grade: result.grade, events: result.events } : { events: [] }),
      body: rawBody.toString('utf8'),
    });
  }
}

function addressesAt(config: ProviderConfig, origin: string): object {
  if (!('baseUrl' in config)) return {};
  const moved = (url: URL) => new URL(url.pathname, origin);
  return { baseUrl: moved(config.baseUrl), ...('tokenUrl' in config ? { tokenUrl: moved(config.tokenUrl) } : {}) };
}
