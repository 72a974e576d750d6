import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Providers } from '@gateway/providers';
import { secretDigestOf } from '@gateway/runtime';
import { createHttpServer } from '@gateway/runtime/http';
import { silentLogger } from '@gateway/test-kit';
import { registerCompatProxy } from '#src/compat-proxy/compat-proxy.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import type { LastUsed } from '#src/accounts/last-used.ts';
import { IpAllowlist } from '#src/accounts/ip-allowlist.ts';
import { AddressSlots } from '#src/limits/address-slots.ts';
import { KeyLimits } from '#src/limits/key-limits.ts';
import { OpenLimits } from '#src/limits/open-limits.ts';
import { merchantAuthentication } from '#src/merchant/authenticate-merchant.ts';
import { ClientCertificates } from '#src/provider-webhooks/client-certificate.ts';
import type { NotificationStore } from '#src/provider-webhooks/notification-store.ts';
import { registerProviderWebhooks } from '#src/provider-webhooks/receive-notifications.ts';

const allowed = 3;
/** So slow that no test sees a token come back. */
const rate = { perSecond: 0.0001, burst: allowed };
const rates = {
  operatorTokens: rate,
  refusals: rate,
  pictures: rate,
  paymentPages: rate,
  description: rate,
  documentation: rate,
  health: rate,
};

let app: FastifyInstance;
let open: OpenLimits;
beforeEach(() => {
  app = createHttpServer({ logger: silentLogger, trustedProxies: ['127.0.0.1'] });
  open = new OpenLimits({ rates, heldMs: 0 });
});
afterEach(async () => app.close());

const from = (address: string, headers: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...headers });
const [stranger, neighbour] = ['203.0.113.7', '203.0.113.8'];

/** The statuses of that many calls, one after the other. */
async function statusesOf(count: number, call: () => Promise<{ readonly statusCode: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await call()).statusCode);
  return statuses;
}

describe('keys', () => {
  const secretKey = 'sk_test_secret';
  const known = {
    secretHash: secretDigestOf(secretKey),
    allowlist: new IpAllowlist([]),
    caller: { publicKey: 'pk_known', environment: 'test', account: { rateLimit: { perSecond: 0.001, burst: 50 } } },
  };
  const find = vi.fn(async (publicKey: string) => (publicKey === 'pk_known' ? known : undefined));
  let used: Set<string>;

  beforeEach(() => {
    used = new Set(['pk_known']);
    find.mockClear();
    const knows = (publicKey: string) => used.has(publicKey);
    const remembered = (publicKey: string) => (knows(publicKey) ? known : undefined);
    const directory = { find, knows, remembered } as unknown as CallerDirectory;
    const guards = {
      ...{ directory, open, limits: new KeyLimits() },
      lastUsed: { note: () => undefined } as unknown as LastUsed,
    };
    app.decorateRequest('caller', null);
    app.addHook('onRequest', merchantAuthentication(guards));
    app.get('/v1/account', async () => ({}));
  });

  const call = (address: string, publicKey?: string, secret = secretKey) =>
    app.inject({
      url: '/v1/account',
      headers: from(address, publicKey === undefined ? {} : { 'x-api-key': publicKey, 'x-api-secret': secret }),
    });

  test('that are unknown are looked up as often as the limit says; the next call is 429 and nobody is asked', async () => {
    const statuses = await statusesOf(allowed + 2, () => call(stranger, 'pk_unknown'));
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(find).toHaveBeenCalledTimes(allowed);
    expect((await call(stranger)).statusCode).toBe(429);
    expect((await call(stranger)).headers['retry-after']).toMatch(/^\d+$/);
  });

  test('that were used here pass from an address that was refused too often', async () => {
    await statusesOf(allowed + 1, () => call(stranger, 'pk_unknown'));
    expect(await statusesOf(10, () => call(stranger, 'pk_known'))).toEqual(Array(10).fill(200));
    expect(await statusesOf(2, () => call(stranger, 'pk_known', 'sk_test_guessed'))).toEqual([429, 429]);
  });

  test('cost other addresses nothing when one has spent its limit, and calls that pass cost nobody', async () => {
    expect(await statusesOf(10, () => call(stranger, 'pk_known'))).toEqual(Array(10).fill(200));
    await statusesOf(allowed + 1, () => call(stranger));
    used.clear();
    expect((await call(neighbour, 'pk_known')).statusCode).toBe(200);
    expect((await call(`${stranger}:4711`, 'pk_known')).statusCode).toBe(429);
  });

  test('beyond their own rate wait for their refusal, and no other call does', async () => {
    const hold = vi.spyOn(open, 'holdRefusal');
    await statusesOf(known.caller.account.rateLimit.burst, () => call(neighbour, 'pk_known'));
    expect(hold).not.toHaveBeenCalled();
    expect((await call(neighbour, 'pk_known')).statusCode).toBe(429);
    expect(hold).toHaveBeenCalledTimes(1);
  });
});

describe('notifications', () => {
  const verify = vi.fn(async ({ rawBody }: { readonly rawBody: Uint8Array }) =>
    rawBody.length === 1 ? { ok: true } : { ok: false, reason: 'no signature' },
  );

  beforeEach(() => {
    verify.mockClear();
    const efi = { verifyAndParseNotification: verify };
    const providers = { find: (id: string) => (id === 'efi' ? efi : undefined) } as unknown as Providers;
    const notifications = { keep: async () => undefined } as unknown as NotificationStore;
    const certificates = new ClientCertificates({ trustedProxies: [] });
    registerProviderWebhooks(app, { providers, notifications, certificates, logger: silentLogger, open });
  });

  const notify = (address: string, payload: string, provider = 'efi') =>
    app.inject({ method: 'POST', url: `/providers/${provider}/notifications`, headers: from(address), payload });

  test('that are not authentic, or of no provider, are looked at as often as the limit says', async () => {
    expect(await statusesOf(2, () => notify(stranger, 'forged'))).toEqual([401, 401]);
    expect(await statusesOf(3, () => notify(stranger, 'forged', 'nobody'))).toEqual([404, 429, 429]);
    expect((await notify(stranger, 'x'.repeat(60_000))).statusCode).toBe(429);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('of a provider pass from where it calls, whatever it was made to call besides, until one is not authentic', async () => {
    expect((await notify(stranger, '1')).statusCode).toBe(200);
    expect(await statusesOf(5, () => notify(stranger, '1', 'nobody'))).toEqual([404, 404, 404, 429, 429]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(stranger, '1')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    expect((await notify(stranger, 'forged')).statusCode).toBe(401);
    expect((await notify(stranger, '1')).statusCode).toBe(429);
  });

  test('that are authentic are never too many', async () => {
    expect(await statusesOf(10, () => notify(neighbour, '1'))).toEqual(Array(10).fill(200));
  });
});

describe('the connector', () => {
  const asked: string[] = [];
  let compat: FastifyInstance;

  beforeEach(async () => {
    asked.length = 0;
    compat = fastify();
    compat.all('/compat/*', async ({ url, headers, body }, reply) => {
      asked.push(url);
      const good = headers.authorization === 'Bearer good' || JSON.stringify(body ?? '').includes('right');
      return reply.code(good ? 200 : 401).send({});
    });
    await compat.listen({ host: '127.0.0.1', port: 0 });
    const { port } = compat.server.address() as AddressInfo;
    registerCompatProxy(app, { url: `http://127.0.0.1:${port}`, prefixes: ['/compat'], logger: silentLogger, open });
  });
  afterEach(async () => compat.close());

  const balance = (token: string) =>
    app.inject({ url: '/compat/cli/client/balance', headers: from(stranger, { authorization: `Bearer ${token}` }) });
  const authenticate = (password: string, padding = 0) =>
    app.inject({
      method: 'POST',
      url: '/compat/cli/client/authenticate',
      headers: from(stranger, { 'content-type': 'application/json' }),
      payload: JSON.stringify({ clientId: 'pk', password, padding: 'x'.repeat(padding) }),
    });

  test('is asked about credentials that are refused as often as the limit says', async () => {
    expect(await statusesOf(2, () => authenticate('wrong'))).toEqual([401, 401]);
    expect(await statusesOf(3, () => balance('bad'))).toEqual([401, 429, 429]);
    expect((await authenticate('wrong')).statusCode).toBe(429);
    expect(asked).toHaveLength(allowed);
  });

  test('goes on answering credentials it accepted before', async () => {
    expect(await statusesOf(1, () => authenticate('right'))).toEqual([200]);
    expect(await statusesOf(1, () => balance('good'))).toEqual([200]);
    await statusesOf(allowed + 1, () => balance('bad'));
    expect(await statusesOf(5, () => balance('good'))).toEqual(Array(5).fill(200));
    expect(await statusesOf(5, () => authenticate('right'))).toEqual(Array(5).fill(200));
    expect((await authenticate('right, but never seen')).statusCode).toBe(429);
  });

  test('is not sent credentials of more than 2 KiB', async () => {
    expect((await authenticate('right', 2_048)).statusCode).toBe(413);
    expect(asked).toHaveLength(0);
  });
});

test('a call beyond the limit is answered half a second later: a caller in a loop spends his own time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const holding = new OpenLimits({ rates });
    for (let index = 0; index < allowed; index += 1) await holding.countRefusal(stranger);
    let refused = false;
    const call = holding.requireFewRefusals(stranger).catch(() => (refused = true));
    await vi.advanceTimersByTimeAsync(499);
    expect(refused).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(refused).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

describe('calls of one address', () => {
  test('are looked at a few at a time, in the order in which they came, and others do not wait for them', async () => {
    const begun: number[] = [];
    const endings = Array.from({ length: 20 }, () => Promise.withResolvers<undefined>());
    const calls = endings.map(async ({ promise }, index) =>
      open.look(stranger, async () => {
        begun.push(index);
        await promise;
      }),
    );
    await vi.waitFor(() => expect(begun).toHaveLength(4));
    expect(await open.look(neighbour, async () => 'looked at')).toBe('looked at');
    endings[3]?.resolve(undefined);
    await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3, 4]));
    for (const { resolve } of endings) resolve(undefined);
    await Promise.all(calls);
    expect(begun).toEqual(endings.map((_ending, index) => index));
  });

  test('that wait are refused once those before them were refused too often', async () => {
    const looked = vi.fn(async () => {
      open.noteRefusal(stranger);
      await Promise.resolve();
    });
    const calls = await Promise.allSettled(Array.from({ length: 100 }, () => open.look(stranger, looked)));
    expect(calls.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(100 - 4 - allowed);
  });

  test('that wait for their refusal leave their place to others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const holding = new OpenLimits({ rates });
      let looked = 0;
      const calls = Array.from({ length: 20 }, async () =>
        holding.look(stranger, async () => {
          looked += 1;
          holding.noteRefusal(stranger);
        }),
      );
      const ended = Promise.allSettled(calls);
      await vi.advanceTimersByTimeAsync(1);
      expect(vi.getTimerCount()).toBe(20 - looked);
      await vi.runAllTimersAsync();
      expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(20 - looked);
    } finally {
      vi.useRealTimers();
    }
  });

  test('beyond those that may wait are refused at once', async () => {
    const slots = new AddressSlots();
    const taken = Array.from({ length: 4 + 256 }, () => slots.take(stranger));
    await expect(slots.take(stranger)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (const slot of taken) (await slot)();
    // Given back twice, a slot is there once.
    const giveBack = await slots.take(stranger);
    giveBack();
    giveBack();
    expect(await slots.take(neighbour)).toBeTypeOf('function');
  });
});
