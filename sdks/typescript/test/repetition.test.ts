import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '@gateway/test-kit';
import {
  type ApiError,
  ConnectionError,
  ExternalIdReusedError,
  InvalidStateError,
  ProviderTimeoutError,
  ServiceUnavailableError,
  TimeoutError,
} from '#src/index.ts';
import { clientOf, deposit, payout, payoutParams } from './support/client.ts';
import { HttpServer, refusal, type Reply } from './support/http-server.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await HttpServer.start();
});
afterAll(async () => server[Symbol.asyncDispose]());

const create = () => clientOf(server.url).payouts.create(payoutParams);
const register = () => clientOf(server.url).webhooks.create({ name: 'shop', url: 'https://shop.example/hooks' });
const created = { status: 201, json: { payout } };
const lostPayout = refusal(504, 'PROVIDER_TIMEOUT', { payout_id: 'pyt_1' });

describe('a payout', () => {
  test.each([
    ['the connection is reset', 'reset'],
    ['the answer is cut off', 'cut'],
    ['the gateway has a fault', refusal(500, 'INTERNAL_ERROR')],
    ['a proxy has no answer of the gateway', { status: 502, text: '<html>Bad gateway</html>' }],
    ['a proxy has waited too long for the body', { status: 408, text: '' }],
    ['a proxy has too much to do', { status: 429, text: '' }],
    ['the outcome of no payout is known', refusal(504, 'PROVIDER_TIMEOUT')],
    ['the gateway is overloaded', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['the key sends too much', refusal(429, 'RATE_LIMITED')],
  ] as const)('is sent again in the same bytes when %s', async (_, fault) => {
    server.reply(fault, fault, created);
    const { id, meta } = await create();
    expect([id, meta]).toMatchObject(['pyt_1', { created: true, attempts: 3, status: 201 }]);
    expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(payoutParams)));
  });

  test('that was made by a lost attempt is answered to the next as it is, and is no reuse', async () => {
    server.reply('reset', { status: 200, json: { payout } });
    expect(await create()).toMatchObject({ id: 'pyt_1', meta: { created: false, attempts: 2 } });
  });

  test('whose outcome is unknown is never sent again: the error names it', async () => {
    server.reply(lostPayout);
    const error = await create().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProviderTimeoutError);
    expect(error).toMatchObject({ payoutId: 'pyt_1', attempts: 1, status: 504 });
    expect(server.seen).toHaveLength(1);
  });

  test('whose outcome is unknown is read until its end by who waits for it, after one POST', async () => {
    const end = { json: { payout: { ...payout, status: 'PAID' } } };
    server.reply(lostPayout, { json: { payout } }, end);
    expect(await clientOf(server.url).payouts.createAndWait(payoutParams)).toMatchObject({
      id: 'pyt_1',
      status: 'PAID',
    });
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/payouts',
      'GET /v1/payouts/pyt_1',
      'GET /v1/payouts/pyt_1',
    ]);
  });

  test('that does not end in time is shown as it was last', async () => {
    server.reply(created, { json: { payout } });
    const error = await clientOf(server.url)
      .payouts.createAndWait(payoutParams, { waitMs: 1 })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ record: { id: 'pyt_1', status: 'PROCESSING' } });
    expect(String(error)).toContain('pyt_1 is still PROCESSING after 1 ms: waitMs is how long to wait, until what for');
  });

  test.each([400, 401, 403, 404, 409, 413, 415, 422])('is not sent again when it is refused: %i', async (status) => {
    server.reply(refusal(status, 'REFUSED'));
    await expect(create()).rejects.toMatchObject({ status, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  test('gives up after the repetitions it is allowed, with the last error', async () => {
    server.reply('reset');
    await expect(create()).rejects.toMatchObject({ name: 'ConnectionError', sent: true, attempts: 4 });
    await expect(clientOf(server.url).payouts.create(payoutParams, { maxRetries: 0 })).rejects.toMatchObject({
      attempts: 1,
    });
    expect(server.seen).toHaveLength(5);
  });

  test('that has no answer in time is sent again, and all attempts end with the deadline', async () => {
    server.reply('hang');
    const client = clientOf(server.url, { timeoutMs: 60, deadlineMs: 150, maxRetries: 100 });
    await expect(client.payouts.create(payoutParams)).rejects.toBeInstanceOf(TimeoutError);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
    expect(server.seen.length).toBeGreaterThanOrEqual(2);
    expect(server.seen.length).toBeLessThanOrEqual(4);
    const startedAt = performance.now();
    const hurried = clientOf(server.url, { timeoutMs: 20_000, deadlineMs: 100 }).payouts.create(payoutParams);
    await expect(hurried).rejects.toBeInstanceOf(TimeoutError);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

test.each([
  ['Node', { cause: { code: 'ECONNREFUSED' } }],
  ['Bun', { code: 'ConnectionRefused' }],
  ['Deno', { cause: { message: 'error sending request for url (…): client error (Connect): tcp connect error' } }],
])(
  'a connection that did not come about in %s is known to have sent nothing, and one that was lost is not',
  async (_, facts) => {
    const failing = (error: object) => async () => {
      throw Object.assign(new TypeError('fetch failed'), error);
    };
    const sentBy = (error: object) =>
      clientOf(server.url, { maxRetries: 0, fetch: failing(error) }).webhooks.create({
        name: 'a',
        url: 'https://a.example',
      });
    await expect(sentBy(facts)).rejects.toMatchObject({ name: 'ConnectionError', sent: false });
    await expect(sentBy({ cause: { code: 'ECONNRESET' } })).rejects.toMatchObject({
      name: 'ConnectionError',
      sent: true,
    });
  },
);

describe('a used external_id', () => {
  test('of another amount is an error with the record that has it', async () => {
    server.reply({ status: 200, json: { payout: { ...payout, amount_cents: 700 } } });
    const error = await create().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ExternalIdReusedError);
    expect(error).toMatchObject({ existing: { id: 'pyt_1', amount_cents: 700 }, differing: ['amount_cents'] });
    expect(error).toMatchObject({ status: 200, code: 'EXTERNAL_ID_REUSED' });
    expect(String(error)).toMatch(
      /"payout-1" belongs to pyt_1, which differs in amount_cents: .*another external_id, .*allowReused: true \(200 EXTERNAL_ID_REUSED\)$/,
    );
    // Typed: each kind of record by its name.
    const { existing } = error as ExternalIdReusedError;
    expect(existing.object === 'payout' && existing.status).toBe('PROCESSING');
  });

  test('of another key is an error, and its own key in another spelling is none', async () => {
    const asked = { ...payoutParams, pix_key: '529.982.247-25', pix_key_type: 'cpf' } as const;
    const answerWith = (pix_key: string) => server.reply({ status: 200, json: { payout: { ...payout, pix_key } } });
    answerWith('52998224725');
    expect(await clientOf(server.url).payouts.create(asked)).toMatchObject({ id: 'pyt_1' });
    answerWith('12345678909');
    await expect(clientOf(server.url).payouts.create(asked)).rejects.toMatchObject({ differing: ['pix_key'] });
    answerWith('+5511987654321');
    const phone = { ...payoutParams, pix_key: '(11) 98765-4321', pix_key_type: 'phone' } as const;
    expect(await clientOf(server.url).payouts.create(phone)).toMatchObject({ id: 'pyt_1' });
  });

  test('of another amount is an answer to who asks for it', async () => {
    server.reply({ status: 200, json: { payout: { ...payout, amount_cents: 700 } } });
    const client = clientOf(server.url);
    expect(await client.payouts.create(payoutParams, { allowReused: true })).toMatchObject({ amount_cents: 700 });
  });

  test('of another deposit is an error of a refund', async () => {
    server.reply({ status: 200, json: { refund: { id: 'rfd_1', deposit_id: 'dep_2', amount_cents: 100 } } });
    const refund = clientOf(server.url).deposits.refunds.create('dep_1', { external_id: 'refund-1' });
    await expect(refund).rejects.toMatchObject({ differing: ['deposit_id'] });
  });
});

describe('a call of which a second one would make a second record', () => {
  const faults = ['reset', 'cut', refusal(500, 'INTERNAL_ERROR'), { status: 503, text: '' }, { status: 429, text: '' }];
  test.each(faults as Reply[])('is not sent again when its outcome is unknown: %j', async (fault) => {
    server.reply(fault);
    await expect(register()).rejects.toMatchObject({ attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  test('is sent again when the gateway has made nothing', async () => {
    server.reply(refusal(503, 'SERVICE_UNAVAILABLE'), refusal(429, 'RATE_LIMITED'), {
      status: 201,
      json: { id: 'whk_1' },
    });
    expect(await register()).toMatchObject({ id: 'whk_1' });
    expect(server.seen).toHaveLength(3);
  });

  test('is sent again when no connection came about, and the error says that nothing was sent', async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`);
    const error = await client.quotes
      .create({ from: 'BRL', to: 'USDT', amount: 100 })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ sent: false, attempts: 4 });
  });

  test('by any route is one without an external_id', async () => {
    server.reply('reset', { json: {} });
    await expect(clientOf(server.url).request('POST', '/v1/anything', { body: {} })).rejects.toMatchObject({
      attempts: 1,
    });
    server.reply('reset', { json: { ok: true } });
    const body = { external_id: 'a' };
    expect(await clientOf(server.url).request('POST', '/v1/anything', { body })).toEqual({ ok: true });
  });
});

describe('a change of state', () => {
  test('that is refused when it is repeated is answered with the record that has the state', async () => {
    server.reply('reset', refusal(409, 'INVALID_STATE'), { json: { ...deposit, status: 'FAILED' } });
    expect(await clientOf(server.url).deposits.cancel('dep_1')).toMatchObject({ id: 'dep_1', status: 'FAILED' });
  });

  test('that is refused when it is repeated stays refused where the record has another state', async () => {
    server.reply('reset', refusal(409, 'INVALID_STATE'), { json: { ...deposit, status: 'PAID' } });
    await expect(clientOf(server.url).deposits.cancel('dep_1')).rejects.toBeInstanceOf(InvalidStateError);
  });

  test('that is refused at once is refused', async () => {
    server.reply(refusal(409, 'INVALID_STATE'), { json: { ...deposit, status: 'FAILED' } });
    await expect(clientOf(server.url).deposits.cancel('dep_1')).rejects.toBeInstanceOf(InvalidStateError);
    expect(server.seen).toHaveLength(1);
  });

  test('a webhook that a lost attempt deleted is deleted', async () => {
    server.reply('reset', refusal(404, 'NOT_FOUND'));
    await clientOf(server.url).webhooks.delete('whk_1');
    server.reply(refusal(404, 'NOT_FOUND'));
    await expect(clientOf(server.url).webhooks.delete('whk_1')).rejects.toMatchObject({ status: 404 });
  });
});

describe('Retry-After', () => {
  test('of two seconds is waited for', async () => {
    server.reply(refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '2' }), created);
    const startedAt = performance.now();
    await create();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_000);
  });

  test.each(['120', new Date(Date.now() + 3_600_000).toUTCString()])(
    'beyond a minute is the caller’s at once: %s',
    async (time) => {
      server.reply(refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': time }), created);
      const startedAt = performance.now();
      // It is not the deadline that ends it.
      const client = clientOf(server.url, { deadlineMs: 10_000_000 });
      const error = await client.payouts.create(payoutParams).catch((caught: unknown) => caught);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      expect(error).toBeInstanceOf(ServiceUnavailableError);
      expect((error as ApiError).retryAfterSec).toBeGreaterThan(60);
      expect(server.seen).toHaveLength(1);
    },
  );

  test('beyond the deadline of the call is the caller’s', async () => {
    server.reply(refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '2' }), created);
    await expect(clientOf(server.url, { deadlineMs: 1_000 }).payouts.create(payoutParams)).rejects.toMatchObject({
      retryAfterSec: 2,
    });
  });
});

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) };
}

describe('an abort', () => {
  const reason = new Error('the shop closes');
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  /** While a poll runs, which has a timer of its own. */
  const timersNow = async () => {
    let now = 0;
    await expect.poll(() => (now = timers())).toBeGreaterThanOrEqual(0);
    return now;
  };
  const page = { json: { data: [deposit], next_cursor: 'dep_1' } };
  const busy = refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '30' });

  /** What is under way at the moment of the abort: the last reply has been sent, or will never be. */
  const underWay: Record<string, readonly [replies: readonly Reply[], isList: boolean]> = {
    'in flight': [['hang'], false],
    'between two attempts': [[busy], false],
    'within a list, in flight': [[page, 'hang'], true],
    'within a list, between two attempts': [[page, busy], true],
  };

  test.each(Object.entries(underWay))(
    '%s rejects with the reason of the signal within 50 ms and leaves no timer',
    async (_, [replies, isList]) => {
      const answered = replies.filter((reply) => reply !== 'hang').length;
      let fastestMs = Infinity;
      // The fastest of some, since the machine may do something else in one of them.
      for (let rest = 5; rest > 0; rest -= 1) {
        const before = await timersNow();
        server.reply(...replies);
        let answers = 0;
        const client = clientOf(server.url, { onResponse: () => void (answers += 1) });
        const { signal, abort } = controllerOf();
        const call = isList
          ? client.deposits.list({}, { signal }).toArray({ max: 100 })
          : client.payouts.create(payoutParams, { signal });
        const caught = Promise.resolve(call).catch((error: unknown) => error);
        await expect.poll(() => [server.seen.length, answers]).toEqual([replies.length, answered]);
        const abortedAt = performance.now();
        abort(reason);
        expect(await caught).toBe(reason);
        fastestMs = Math.min(fastestMs, performance.now() - abortedAt);
        expect(server.seen).toHaveLength(replies.length);
        await expect.poll(timers).toBeLessThanOrEqual(before);
      }
      expect(fastestMs).toBeLessThan(50);
    },
  );

  test('before a call sends nothing', async () => {
    server.reply(created);
    const call = clientOf(server.url).payouts.create(payoutParams, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect(server.seen).toEqual([]);
  });

  test('within a list rejects with the reason and sends nothing more', async () => {
    server.reply({ json: { data: [deposit], next_cursor: 'dep_1' } }, 'hang');
    const controller = new AbortController();
    const walk = async () => {
      const deposits = clientOf(server.url).deposits.list({}, { signal: controller.signal });
      for await (const { id } of deposits) if (id === 'dep_1') controller.abort(reason);
    };
    await expect(walk()).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });
});
