import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/service-kit/testing';
import { MerchantClient, type Json } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const within = { timeoutMs: 60_000 };
/** PIX allows returns for 90 days. */
const lateDays = 89;

let stack: Stack;
let merchant: MerchantClient;
let receiver: WebhookReceiver;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.live);
  const events = ['payout.paid', 'payout.failed', 'payout.returned'];
  await merchant.post('/v1/webhooks', { name: 'ends', url: receiver.url, events });
  const { id } = await eventually(async () => {
    const answer = await merchant.post('/v1/deposits', { amount_cents: 1_000_000, external_id: 'funds' });
    expect([200, 201]).toContain(answer.status);
    return answer.body;
  });
  await control('POST', `/charges/${String(id).slice('dep_'.length)}/pay`, {});
  await eventually(async () => expect(await available()).toBeGreaterThan(0), within);
});
afterAll(async () => stopping.disposeAsync());

async function send(url: string, method: string, body: object | undefined, headers: Record<string, string> = {}) {
  const typed = body ? { 'content-type': 'application/json', ...headers } : headers;
  const response = await fetch(url, { method, headers: typed, body: body ? JSON.stringify(body) : null });
  expect(response.status, `${method} ${url}`).toBeLessThan(300);
  return (await response.json()) as Json;
}

/** What a test does to the simulated bank. */
const control = (method: string, path: string, body?: object) =>
  send(`${stack.simulatorUrl}/control${path}`, method, body);
const asOperator = (method: string, path: string, body?: object) =>
  send(`${stack.opsUrl}${path}`, method, body, { authorization: `Bearer ${stack.dev.ops_tokens[0]}` });
const available = async (): Promise<number> => (await merchant.get('/v1/balance')).body.brl.available_cents;
const read = async (id: string): Promise<Json> => (await merchant.get(`/v1/payouts/${id}`)).body.payout;

let orders = 0;
/** A payout of 50.00 at this provider; a key of the simulator's decides what becomes of it. */
async function payoutAt(provider: string, key: string) {
  for (const id of ['efi', 'woovi']) await asOperator('PATCH', `/ops/providers/${id}`, { enabled: id === provider });
  return await eventually(async () => {
    const recipient = { name: 'Maria da Silva', document: '52998224725' };
    const { body } = await merchant.post('/v1/payouts', {
      ...{ amount_cents: 5_000, external_id: `live-payout-${++orders}`, recipient },
      ...{ pix_key: key, pix_key_type: 'email' },
    });
    const { data } = await asOperator('GET', '/ops/payouts?limit=1');
    // A switch is known a second later.
    expect(data[0]).toMatchObject({ id: body.payout.id, provider });
    return { id: String(body.payout.id), reference: String(data[0].reference) };
  }, within);
}

const isAs = async (id: string, expected: object) =>
  await eventually(async () => expect(await read(id)).toMatchObject(expected), within);

describe.each(['efi', 'woovi'])('a live payout at %s', (provider) => {
  test('that a notification says has failed or come back moves nothing, and is PAID when it is paid', async () => {
    const { id, reference } = await payoutAt(provider, 'hold@simulator.test');
    await isAs(id, { status: 'PROCESSING' });
    const before = await available();
    await control('POST', '/lies', { about: 'transfer', reference, result: 'failed' });
    await control('POST', '/lies', { about: 'transfer', reference, result: 'paid' });
    await control('POST', '/lies', { about: 'return', reference, amount_cents: 5_000 });
    await control('POST', `/transfers/${reference}/settle`, { result: 'paid' });
    await isAs(id, { status: 'PAID', returned_cents: 0 });
    expect(await available()).toBe(before);
    await eventually(() => expect(receiver.of('payout.paid', id)).toHaveLength(1), within);
    for (const event of ['payout.failed', 'payout.returned']) expect(receiver.of(event, id)).toEqual([]);
  });

  test('that comes back in two parts after 89 days is credited, and each part is told by an id of its own', async () => {
    const { id, reference } = await payoutAt(provider, 'maria@example.com');
    await isAs(id, { status: 'PAID' });
    const before = await available();
    await control('POST', `/transfers/${reference}/age`, { days: lateDays });
    for (const [amount, returned] of [
      [2_000, 2_000],
      [3_000, 5_000],
    ]) {
      await control('POST', `/transfers/${reference}/return`, { amount_cents: amount });
      await isAs(id, { status: 'PAID', returned_cents: returned });
    }
    await eventually(async () => expect(await available()).toBe(before + 5_000), within);
    await eventually(() => expect(receiver.of('payout.returned', id)).toHaveLength(2), within);
    const parts = receiver.of('payout.returned', id).map(({ body }) => body.data);
    expect(new Set(parts.map((data) => data.return.amount_cents))).toEqual(new Set([2_000, 3_000]));
    expect(new Set(parts.map((data) => data.return.id)).size).toBe(2);
    expect(parts.every((data) => String(data.return.id).startsWith('ret_'))).toBe(true);
  });
});
