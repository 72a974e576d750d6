import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable, statusOf, type ErrorCode } from '@gateway/contracts/errors';
import { DescribedApi } from './support/described-api.ts';
import type { Json } from './support/merchant-client.ts';
import { recipient, startEdge, type Edge, type NewMerchant } from './support/edge.ts';
import { refusedCalls } from './support/refused-calls.ts';
import { walk } from './support/walk-list.ts';
import { walkedLists } from './support/walked-lists.ts';

let edge: Edge;
let merchant: NewMerchant;

beforeAll(async () => {
  edge = await startEdge();
  merchant = await edge.newMerchant();
});
afterAll(async () => edge[Symbol.asyncDispose]());

describe('the error table', () => {
  const codes = Object.keys(errorTable) as ErrorCode[];

  test('has no code without a call that is answered with it', () => {
    expect(Object.keys(refusedCalls).sort()).toEqual([...codes].sort());
  });

  test.each(codes)('%s is what the running product answers, in the one error shape', async (code) => {
    const { status, headers, body } = await refusedCalls[code](edge, merchant);
    expect([status, body.error.code]).toEqual([statusOf(code), code]);
    expect(body.error).toMatchObject({ message: expect.stringMatching(/./), request_id: headers.get('x-request-id') });
    if (status === 429 || status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    if (code === 'PROVIDER_TIMEOUT') expect(body.error.payout_id).toMatch(/^pyt_/);
    if (code === 'METHOD_NOT_ALLOWED') expect(headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('a list', () => {
  const lists = Object.keys(walkedLists);

  test('of either API is walked here, unless it is one page', async () => {
    const apis = await Promise.all([edge.stack.baseUrl, edge.stack.opsUrl].map((url) => DescribedApi.read(url)));
    const described = apis
      .flatMap(({ operations }) => operations)
      .filter(({ parameters }) => {
        return parameters.some(({ name }) => name === 'cursor');
      });
    expect(described.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...lists].sort());
  });

  test.each(lists)(
    '%s, walked page by page while records come in, has nothing twice and misses nothing',
    async (list) => walk(await walkedLists[list]!(edge, await edge.newMerchant())),
  );
});

describe('new settings of an account', () => {
  const fee = { fixed_cents: 50, bps: 100 };
  const changed = { fees: { deposit: fee, payout: fee }, retention_days: 7, auto_approve_payouts: false };
  const deposit = ({ test: client }: NewMerchant) =>
    client.post('/v1/deposits', { amount_cents: 10_000, external_id: edge.reference() });
  const pay = ({ test: client }: NewMerchant, id: string) => client.post(`/v1/test/deposits/${id}/pay`);
  const payout = async ({ test: client }: NewMerchant) => {
    const key = { pix_key: 'hold@sandbox.test', pix_key_type: 'email' };
    return (await client.post('/v1/payouts', { amount_cents: 1_000, external_id: edge.reference(), recipient, ...key }))
      .body.payout;
  };
  const brl = async ({ test: client }: NewMerchant) => (await client.get('/v1/balance')).body.brl;
  const change = async ({ id }: NewMerchant, settings: object) => {
    const { status, body } = await edge.operate('PATCH', `/ops/accounts/${id}`, settings);
    // What lets more money leave takes a second operator.
    if (status === 202) await edge.operate('POST', `/ops/approvals/${body.approval.id}/approve`, {}, 1);
    expect([200, 202]).toContain(status);
  };
  const enforced = async ({ id }: NewMerchant, settings: object) => {
    expect((await edge.operate('GET', `/ops/accounts/${id}`)).body).toMatchObject(settings);
  };

  test('leave fees, retention and approval of earlier records as they were', async () => {
    const shop = await edge.newMerchant();
    await pay(shop, (await deposit(shop)).body.id);
    const [earlier, sent] = [(await deposit(shop)).body, await payout(shop)];
    await change(shop, changed);
    expect((await pay(shop, earlier.id)).body).toMatchObject({ fee_cents: 0, net_cents: 10_000, status: 'PAID' });
    expect(await brl(shop)).toMatchObject({ available_cents: 19_000, pending_cents: 0 });
    const settle = { result: 'failed' };
    const failed = await shop.test.post(`/v1/test/payouts/${sent.id}/settle`, settle);
    expect(failed.body.payout).toMatchObject({ status: 'FAILED', fee_cents: 0 });
    expect(await brl(shop)).toMatchObject({ available_cents: 20_000 });
  });

  test('hold for the records made from then on, and not for those when they change again', async () => {
    const shop = await edge.newMerchant();
    await pay(shop, (await deposit(shop)).body.id);
    await change(shop, changed);
    const [later, waiting] = [(await deposit(shop)).body, await payout(shop)];
    expect(later).toMatchObject({ fee_cents: 150, net_cents: 9_850 });
    expect(waiting).toMatchObject({ status: 'PENDING', fee_cents: 60 });
    const generous = { fees: { deposit: { fixed_cents: 0, bps: 0 } }, retention_days: 0, auto_approve_payouts: true };
    await change(shop, generous);
    await enforced(shop, generous);
    expect((await pay(shop, later.id)).body).toMatchObject({ fee_cents: 150, net_cents: 9_850 });
    expect(await brl(shop)).toMatchObject({ available_cents: 10_000 - 1_060, pending_cents: 9_850 });
    expect((await shop.test.get(`/v1/payouts/${waiting.id}`)).body.payout).toMatchObject({ status: 'PENDING' });
    expect((await payout(shop)).status).toBe('PROCESSING');
  });

  test('that limit payouts have the next one wait for approval', async () => {
    const shop = await edge.newMerchant();
    await pay(shop, (await deposit(shop)).body.id);
    expect((await payout(shop)).status).toBe('PROCESSING');
    await change(shop, { payout_limits: { per_payout_cents: 999 } });
    expect((await payout(shop)).status).toBe('PENDING');
    await change(shop, { payout_limits: { per_payout_cents: null, per_day_cents: 1_500 } });
    expect((await payout(shop)).status).toBe('PENDING');
    await change(shop, { payout_limits: { per_day_cents: null } });
    expect((await payout(shop)).status).toBe('PROCESSING');
  });
});

test("a connector's token is metered like the key it was issued against", async () => {
  const [perSecond, burst, calls] = [5, 10, 30];
  const { keys } = await edge.newMerchant({ rate_limit: { per_second: perSecond, burst } });
  const send = (method: string, path: string, body: object | null, token = '') =>
    fetch(`${edge.stack.baseUrl}/compat/cli/client/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
    });
  const startedAt = performance.now();
  const credentials = { clientId: keys.public_key, password: keys.secret_key };
  const { data } = (await (await send('POST', 'authenticate', credentials)).json()) as Json;
  const answers = await Promise.all(Array.from({ length: calls }, () => send('GET', 'balance', null, data.token)));
  const refilled = Math.ceil(((performance.now() - startedAt) * perSecond) / 1_000);
  const refused = answers.filter(({ status }) => status === 429);
  // Getting the token was the first call of the burst.
  expect(calls - refused.length).toBeGreaterThanOrEqual(burst - 1);
  expect(calls - refused.length).toBeLessThanOrEqual(burst - 1 + refilled);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(calls - refused.length);
  for (const answer of refused) {
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ success: false, data: null });
  }
});
