import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { MerchantClient, type Answer, type Json } from './support/merchant-client.ts';

const fundsCents = 100_000_000;
const amountCents = 1_000;
/** Amounts at which the simulator times out (its README): nothing done, and done all the same. */
const timeoutBeforeCents = 700_001;
const timeoutAfterCents = 700_002;
/** And at which it has no balance of ours. */
const noBalanceCents = 700_046;
const settleTimeoutMs = 30_000;

let stack: Stack;
let merchant: MerchantClient;
let live: MerchantClient;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
  live = new MerchantClient(stack.baseUrl, demo.live);
  const deposit = { amount_cents: fundsCents, external_id: 'funds' };
  const { body } = await merchant.post('/v1/deposits', deposit);
  await merchant.post(`/v1/test/deposits/${body.id}/pay`);
  const charge = await eventually(async () => {
    const answer = await live.post('/v1/deposits', deposit);
    expect([200, 201]).toContain(answer.status);
    return answer.body;
  });
  await simulator('POST', `/control/charges/${charge.id.slice('dep_'.length)}/pay`);
  await eventually(async () => expect(await availableOf(live)).toBeGreaterThan(0), { timeoutMs: settleTimeoutMs });
});
afterAll(async () => stopping.disposeAsync());

async function simulator(method: string, path: string, members: object = {}): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const body = method === 'POST' ? JSON.stringify(members) : null;
  const response = await fetch(`${stack.simulatorUrl}${path}`, { method, headers, body });
  expect(response.status).toBeLessThan(300);
  return response.status === 204 ? null : await response.json();
}

async function operators(method: string, path: string, body?: Json): Promise<Json> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(`${stack.opsUrl}${path}`, { method, headers, body: sent });
  expect(response.status).toBeLessThan(300);
  return await response.json();
}

const availableOf = async (client: MerchantClient): Promise<number> =>
  (await client.get('/v1/balance')).body.brl.available_cents;

const wanted = (externalId: string, changes: object = {}) => ({
  amount_cents: amountCents,
  external_id: externalId,
  pix_key: 'maria@example.com',
  pix_key_type: 'email',
  recipient: { name: 'Maria da Silva', document: '52998224725' },
  ...changes,
});

const read = async (client: MerchantClient, id: string): Promise<Json> =>
  (await client.get(`/v1/payouts/${id}`)).body.payout;

const reaches = async (client: MerchantClient, id: string, status: string, timeoutMs = settleTimeoutMs) =>
  await eventually(
    async () => {
      const payout = await read(client, id);
      expect(payout).toMatchObject({ status });
      return payout;
    },
    { timeoutMs },
  );

const transfers = async (id: string): Promise<number> =>
  (await simulator('GET', `/control/transfers?reference=${id.slice('pyt_'.length)}`)).count;

describe('in test mode', () => {
  test('approve@sandbox.test is PENDING, says why, and is canceled or approved', async () => {
    const pix_key = 'approve@sandbox.test';
    const [canceled, approved] = await Promise.all(
      ['canceled', 'approved'].map(async (what) => {
        const { status, body } = await merchant.post('/v1/payouts', wanted(`waits ${what}`, { pix_key }));
        expect([status, body.payout]).toMatchObject([201, { status: 'PENDING', pending_reason: 'approval_rule' }]);
        return body.payout.id as string;
      }),
    );
    const { body } = await merchant.post(`/v1/payouts/${canceled}/cancel`);
    expect(body.payout).toMatchObject({ status: 'REJECTED', failure_reason: 'canceled_by_merchant' });
    await operators('POST', `/ops/payouts/${approved}/approve`);
    expect(await reaches(merchant, approved!, 'PAID')).toMatchObject({ pending_reason: null });
  });

  test.each([
    ['refuse@sandbox.test', {}, 'key_not_found'],
    ['owner@sandbox.test', { enforce_ownership: true }, 'owner_mismatch'],
  ])('%s is REJECTED in the answer, and the money is back', async (key, more, reason) => {
    const before = await availableOf(merchant);
    const { status, body } = await merchant.post('/v1/payouts', wanted(key, { pix_key: key, ...more }));
    expect([status, body.payout]).toMatchObject([201, { status: 'REJECTED', failure_reason: reason }]);
    expect(await availableOf(merchant)).toBe(before);
  });

  test('fail@sandbox.test is PROCESSING, then FAILED, and the money is back', async () => {
    const before = await availableOf(merchant);
    const { status, body } = await merchant.post('/v1/payouts', wanted('fails', { pix_key: 'fail@sandbox.test' }));
    expect([status, body.payout.status, body.payout.failure_reason]).toEqual([201, 'PROCESSING', null]);
    const failed = await reaches(merchant, body.payout.id, 'FAILED');
    expect(failed.failure_reason).toBe('invalid_account');
    expect(await availableOf(merchant)).toBe(before);
  });

  test('timeout@sandbox.test is a 504 that names the payout, which is PROCESSING, debited, and then PAID', async () => {
    const before = await availableOf(merchant);
    const request = wanted('times-out', { pix_key: 'timeout@sandbox.test' });
    const { status, body } = await merchant.post('/v1/payouts', request);
    expect([status, body.error.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
    const id = body.error.payout_id;
    expect(await read(merchant, id)).toMatchObject({ external_id: 'times-out', status: 'PROCESSING' });
    const repeated = await merchant.post('/v1/payouts', request);
    expect([repeated.status, repeated.body.payout.id]).toEqual([200, id]);
    await reaches(merchant, id, 'PAID');
    expect(await availableOf(merchant)).toBe(before - amountCents);
  });

  test('hold@ stays PROCESSING until it is settled by hand, owner@ without enforcement and any other key are PAID', async () => {
    const ids = await Promise.all(
      ['hold@sandbox.test', 'owner@sandbox.test', 'maria@example.com'].map(async (key) => {
        const { body } = await merchant.post('/v1/payouts', wanted(`plain ${key}`, { pix_key: key }));
        expect(body.payout.status).toBe('PROCESSING');
        return body.payout.id as string;
      }),
    );
    const [held, ...others] = ids;
    for (const id of others) await reaches(merchant, id, 'PAID');
    expect((await read(merchant, held!)).status).toBe('PROCESSING');
    const settled = await merchant.post(`/v1/test/payouts/${held}/settle`, { result: 'failed' });
    expect([settled.status, settled.body.payout.status]).toEqual([200, 'FAILED']);
  });
});

describe('a live payout that no provider has our money for', () => {
  const waiting = async (externalId: string) => {
    const { status, body } = await live.post('/v1/payouts', wanted(externalId, { amount_cents: noBalanceCents }));
    expect([status, body.payout]).toMatchObject([201, { status: 'PROCESSING', failure_reason: null }]);
    const { id } = body.payout;
    const shown = await eventually(
      async () => {
        const { payout } = await operators('GET', `/ops/payouts/${id}`);
        expect(payout).toMatchObject({ status: 'PROCESSING', attention_reason: 'no_provider', also_paid_by: [] });
        return payout;
      },
      { timeoutMs: settleTimeoutMs },
    );
    return { id, shown };
  };

  test('waits, debited and in the operators’ queue, with the words of each provider, until an operator ends it', async () => {
    const before = await availableOf(live);
    const { id, shown } = await waiting('no balance');
    expect(await availableOf(live)).toBe(before - noBalanceCents);
    expect(new Set(shown.failed_calls.map(({ provider }: Json) => provider)).size).toBeGreaterThan(1);
    for (const { outcome, reason, message } of shown.failed_calls) {
      expect([outcome, reason]).toEqual(['refused', 'provider_balance']);
      expect(message).not.toBe('');
    }
    const queue = await operators('GET', '/ops/payouts?attention=true');
    expect(queue.data).toContainEqual(expect.objectContaining({ id, attention_reason: 'no_provider' }));
    expect((await live.post(`/v1/payouts/${id}/cancel`)).status).toBe(409);

    const { payout } = await operators('POST', `/ops/payouts/${id}/refuse`, { reason: 'no top-up before Monday' });
    expect(payout).toMatchObject({ status: 'REJECTED', decision_reason: 'no top-up before Monday' });
    expect(await read(live, id)).toMatchObject({
      ...{ status: 'REJECTED', failure_reason: 'refused_by_operator' },
      failure_message: 'An operator refused the payout.',
    });
    expect(await availableOf(live)).toBe(before);
    expect(await transfers(id)).toBe(0);
  });
});

describe('a live provider that does not answer', () => {
  test('is a 504 whether it has acted or not: no refund, one transfer or none, and what was paid becomes PAID', async () => {
    const before = await availableOf(live);
    const [acted, silent] = await Promise.all(
      [timeoutAfterCents, timeoutBeforeCents].map(async (cents) => {
        const { status, body } = await live.post('/v1/payouts', wanted(`live ${cents}`, { amount_cents: cents }));
        expect([status, body.error?.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
        return body.error.payout_id as string;
      }),
    );
    await reaches(live, acted!, 'PAID');
    expect(await transfers(acted!)).toBe(1);
    // Nothing was done, but that is not known yet: no refund, and no second call under another reference.
    expect((await read(live, silent!)).status).toBe('PROCESSING');
    expect(await transfers(silent!)).toBe(0);
    expect(await availableOf(live)).toBe(before - timeoutAfterCents - timeoutBeforeCents);
  });
});

describe('a live payout that comes back long after it was paid', () => {
  beforeAll(async () => {
    // Woovi sends nothing: the payouts go to Efí.
    await simulator('POST', '/control/faults', { dialect: 'woovi', operation: 'create-transfer', fault: 'throttled' });
  });
  afterAll(async () => {
    await simulator('DELETE', '/control/faults');
  });

  test.each([9, 89])('is credited within ten seconds of the notification, %s days after', async (days) => {
    const { body } = await live.post('/v1/payouts', wanted(`comes back after ${days} days`));
    const { id } = body.payout;
    await reaches(live, id, 'PAID');
    expect((await operators('GET', `/ops/payouts/${id}`)).payout).toMatchObject({ provider: 'efi' });
    const before = await availableOf(live);
    const transfer = `/control/transfers/${id.slice('pyt_'.length)}`;
    await simulator('POST', `${transfer}/age`, { days });
    await simulator('POST', `${transfer}/return`);
    await eventually(async () => expect(await availableOf(live)).toBe(before + amountCents), { timeoutMs: 10_000 });
    // The record follows the ledger.
    const returned = { status: 'PAID', returned_cents: amountCents };
    await eventually(async () => expect(await read(live, id)).toMatchObject(returned), { timeoutMs: 10_000 });
  });
});

describe('kill -9 of payouts, again and again, and of the gateway, under load at a live provider', () => {
  const clients = 4;
  const kills = ['payouts', 'payouts', 'api-gateway', 'payouts'];

  async function untilAnswered(call: () => Promise<Answer>): Promise<Answer> {
    return await eventually(
      async () => {
        const answer = await call();
        if (answer.status === 429 || (answer.status >= 500 && answer.status !== 504))
          throw new Error(`${answer.status} ${answer.text}`);
        return answer;
      },
      { timeoutMs: 180_000, everyMs: 100 },
    );
  }

  async function payUntil(stopped: () => boolean, client: number): Promise<string[]> {
    const ids: string[] = [];
    for (let round = 0; !stopped() || round < 2; round++) {
      const request = wanted(`killed ${client} ${round}`);
      const { status, body } = await untilAnswered(() => live.post('/v1/payouts', request));
      expect([200, 201, 504]).toContain(status);
      ids.push(status === 504 ? body.error.payout_id : body.payout.id);
    }
    return ids;
  }

  test('no payout is transferred twice, and none that was transferred is lost or given back', async () => {
    const before = await availableOf(live);
    let stopped = false;
    const paying = Promise.all(Array.from({ length: clients }, (_, client) => payUntil(() => stopped, client)));
    for (const service of kills) {
      const restarts = stack.restartCount(service);
      stack.process(service).kill('SIGKILL');
      await eventually(() => expect(stack.restartCount(service)).toBeGreaterThan(restarts));
      await stack.ready();
    }
    stopped = true;
    const ids = (await paying).flat();
    expect(new Set(ids).size).toBe(ids.length);
    // A call that was cut short is believed never to have arrived only after two minutes; until then it is in flight.
    await eventually(
      async () => {
        for (const id of ids) {
          const [{ status }, times] = [await read(live, id), await transfers(id)];
          expect([id, status, times]).toEqual([id, times === 1 ? 'PAID' : 'PROCESSING', times === 1 ? 1 : 0]);
        }
      },
      { timeoutMs: 180_000, everyMs: 500 },
    );
    const { by_reference: byReference } = await simulator('GET', '/control/transfers');
    expect(Object.values(byReference as Record<string, number>).every((times) => times === 1)).toBe(true);
    expect(await availableOf(live)).toBe(before - ids.length * amountCents);
  }, 180_000);
});
