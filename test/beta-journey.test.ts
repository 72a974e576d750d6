import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { MerchantClient } from './support/merchant-client.ts';
import { signatureHolds, startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

let stack: Stack;
let home: string;
/** The same account by a key of each contract. */
let beta: MerchantClient;
let before: MerchantClient;
const stopping = new AsyncDisposableStack();
const receivers = {} as Record<'beta' | 'before', WebhookReceiver>;
const secrets = {} as Record<'beta' | 'before', string>;

beforeAll(async () => {
  home = stopping.use(temporaryHome()).path;
  stack = stopping.use(await startStack({ home, durable: false, quiet: true, traces: true }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  before = new MerchantClient(stack.baseUrl, demo.test);
  const issued = await fetch(`${stack.opsUrl}/ops/accounts/${demo.account_id}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ environment: 'test', api_version: '1.0' }),
  });
  const keys = (await issued.json()) as { public_key: string; secret_key: string };
  expect(keys.public_key).toMatch(/^ak_test_/);
  beta = new MerchantClient(stack.baseUrl, keys);
  for (const [name, client] of Object.entries({ beta, before })) {
    const receiver = stopping.use(await startWebhookReceiver());
    const registered = await client.post('/v1/webhooks', { name, url: receiver.url });
    expect(registered.body).toMatchObject({ api_version: name === 'beta' ? '1.0' : '0.1' });
    receivers[name as 'beta'] = receiver;
    secrets[name as 'beta'] = registered.body.secret;
  }
});
afterAll(async () => stopping.disposeAsync());

const balance = async () => (await beta.get('/v1/balance')).body;
const paid = async (body: object) => {
  const created = await beta.post('/v1/deposits', body);
  expect(created.status).toBe(201);
  const answer = await beta.post(`/v1/test/deposits/${created.body.id}/pay`);
  expect(answer.body).toMatchObject({ status: 'PAID', amount: created.body.amount });
  return answer.body;
};

describe('a merchant of contract 1.0', () => {
  test('is paid in two currencies, each by its own rail, and has a balance for each', async () => {
    expect(await balance()).toEqual({});
    const brl = await paid({ amount: 20_000, external_id: 'brl-1' });
    expect(brl).toMatchObject({ flow: 'QR', charge: { type: 'pix' }, currency: 'BRL', payment_method: 'PIX' });
    const mxn = await paid({ amount: 50_000, external_id: 'mxn-1', currency: 'MXN' });
    expect(mxn).toMatchObject({ flow: 'REDIRECT', charge: { type: 'spei' }, currency: 'MXN', payment_method: 'SPEI' });
    expect(await balance()).toEqual({
      brl: { available: 20_000, pending: 0, blocked: 0, total: 20_000 },
      mxn: { available: 50_000, pending: 0, blocked: 0, total: 50_000 },
    });
    expect(Object.keys((await before.get('/v1/balance')).body as object)).toEqual(['brl', 'usdt']);
  });

  test('is told of one payment in the contract of each endpoint', async () => {
    const { id, amount } = await paid({ amount: 300, external_id: 'brl-2' });
    await eventually(() => {
      expect(receivers.beta.of('deposit.paid', id)).toHaveLength(1);
      expect(receivers.before.of('deposit.paid', id)).toHaveLength(1);
    });
    const [now] = receivers.beta.of('deposit.paid', id);
    const [then] = receivers.before.of('deposit.paid', id);
    expect(now?.body.data).toEqual((await beta.get(`/v1/deposits/${id}`)).body);
    expect(then?.body.data).toEqual((await before.get(`/v1/deposits/${id}`)).body);
    expect([now?.body.data.amount, then?.body.data.amount_cents]).toEqual([amount, amount]);
    expect(now && signatureHolds(now, secrets.beta)).toBe(true);
    expect(then && signatureHolds(then, secrets.before)).toBe(true);
  });

  test('changes both currencies into USDT, at a quote and at the rate of the moment', async () => {
    const quote = await beta.post('/v1/quotes', { from: 'BRL', to: 'USDT', amount: 10_000 });
    expect(quote.status).toBe(201);
    expect(quote.body).toMatchObject({ object: 'quote', from_amount: 10_000, to_amount: 1_851, rate: '5.40000000' });
    const readQuote = async () => await beta.get(`/v1/quotes/${quote.body.id}`);
    expect(await readQuote()).toMatchObject({ status: 200, body: quote.body });
    const body = { quote_id: quote.body.id, external_id: 'treasury-1' };
    const converted = await beta.post('/v1/conversions', body);
    expect(converted.status).toBe(201);
    expect(converted.body.conversion).toMatchObject({ object: 'conversion', status: 'COMPLETED', to_amount: 1_851 });
    expect((await readQuote()).body).toEqual({ ...quote.body, status: 'USED' });
    expect(await beta.post('/v1/conversions', body)).toMatchObject({ status: 200, body: converted.body });
    const again = await beta.post('/v1/conversions', { ...body, external_id: 'treasury-2' });
    expect([again.status, again.body.error.code]).toEqual([409, 'QUOTE_ALREADY_USED']);

    const market = { from: 'MXN', to: 'USDT', amount: 18_500, external_id: 'treasury-3' };
    expect((await beta.post('/v1/conversions', market)).body.conversion).toMatchObject({ to_amount: 1_000 });
    expect(await balance()).toMatchObject({
      brl: { available: 10_300 },
      mxn: { available: 31_500 },
      usdt: { available: 2_851 },
    });

    const { id } = converted.body.conversion;
    const entries = await beta.get(`/v1/transactions?ref_id=${id}`);
    expect(entries.body.data).toMatchObject([
      { type: 'CONVERSION', amount: 1_851, currency: 'USDT', ref_type: 'conversion', ref_id: id },
      { type: 'CONVERSION', amount: -10_000, currency: 'BRL', ref_type: 'conversion', ref_id: id },
    ]);
    await eventually(() => expect(receivers.beta.of('conversion.completed', id)).toHaveLength(1));
    expect(receivers.beta.of('conversion.completed', id)[0]?.body.data).toEqual(converted.body.conversion);
    expect((await beta.get(`/v1/conversions/${id}`)).body).toEqual(converted.body);
    expect((await beta.get('/v1/conversions?limit=1')).body).toMatchObject({
      data: [{ external_id: 'treasury-3' }],
      next_cursor: expect.stringMatching(/^cnv_/) as string,
    });
  });

  test.each<[string, object, number, string]>([
    [
      'an amount and a wanted amount',
      { from: 'BRL', to: 'USDT', amount: 1, target_amount: 1 },
      400,
      'VALIDATION_ERROR',
    ],
    ['no amount', { from: 'BRL', to: 'USDT' }, 400, 'VALIDATION_ERROR'],
    ['less than one cent of USDT', { from: 'BRL', to: 'USDT', amount: 5 }, 400, 'VALIDATION_ERROR'],
    ['a currency nobody knows', { from: 'EUR', to: 'USDT', amount: 100 }, 422, 'CURRENCY_NOT_SUPPORTED'],
    ['another target', { from: 'BRL', to: 'MXN', amount: 100 }, 422, 'CURRENCY_NOT_SUPPORTED'],
  ])('is refused a quote for %s', async (_case, body, status, code) => {
    const answer = await beta.post('/v1/quotes', body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test('cannot change more than there is, nor at a quote of another account', async () => {
    const poor = { from: 'BRL', to: 'USDT', amount: 99_999_999, external_id: 'treasury-4' };
    const refused = await beta.post('/v1/conversions', poor);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect((await beta.get('/v1/conversions?external_id=treasury-4')).body.data).toEqual([]);
    const foreign = { quote_id: 'qte_01k9z3m4v6t8x0a2c4e6g8jk0c', external_id: 'treasury-5' };
    expect((await beta.post('/v1/conversions', foreign)).status).toBe(404);
  });

  test('finds the ledger in agreement with itself in every currency', async () => {
    const run = await fetch(`${stack.opsUrl}/ops/reconciliations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await run.json()).toMatchObject({ status: 'OK' });
    for (const [currency, { available }] of Object.entries(
      (await balance()) as Record<string, { available: number }>,
    )) {
      const entries = await beta.get(`/v1/transactions?currency=${currency.toUpperCase()}&limit=200`);
      const amounts = (entries.body.data as { amount: number }[]).map(({ amount }) => amount);
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(available);
    }
  });
});

/** The 26 characters of an id as the 32 digits of a trace id. */
function traceIdOf(id: string): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  const bits = Array.from(id.slice(4)).reduce((sum, character) => sum * 32n + BigInt(digits.indexOf(character)), 0n);
  return bits.toString(16).padStart(32, '0');
}

describe('npm run trace', () => {
  const program = join(import.meta.dirname, '../scripts/trace.ts');
  const traced = async (id: string) => {
    const env = { ...process.env, GATEWAY_HOME: home };
    return (await promisify(execFile)(process.execPath, [program, id], { env })).stdout;
  };

  test('prints creation, payment, delivery and refund of one deposit as one view, by the id of any of its records', async () => {
    const created = await beta.post('/v1/deposits', { amount: 20_000, external_id: 'traced-1' });
    const { id } = created.body;
    await beta.post(`/v1/test/deposits/${id}/pay`);
    const refund = await beta.post(`/v1/deposits/${id}/refunds`, { amount: 500, external_id: 'traced-2' });
    expect(refund.status).toBe(201);
    const unrelated = (await beta.post('/v1/deposits', { amount: 300, external_id: 'untraced' })).body.id;
    const view = await eventually(async () => {
      const printed = await traced(id);
      expect(printed).toMatch(/webhook delivery 200 deposit.paid/);
      expect(printed).toMatch(/refund-deposit:rfd_\w{26} applied/);
      return printed;
    });
    expect(view.match(/^POST [^ ]+ \d+/gm)).toEqual([
      'POST /v1/deposits 201',
      'POST /v1/test/deposits/:id/pay 200',
      'POST /v1/deposits/:id/refunds 201',
    ]);
    expect(view).toContain('3 traces');
    expect(view).toContain('of api-gateway, deposits, ledger, webhooks');
    expect(view).toContain(`credit-deposit:${id} applied`);
    expect(view).not.toContain(unrelated);
    const [ofRefund, ofCall] = await Promise.all([
      traced(refund.body.refund.id),
      traced(created.headers.get('x-request-id') ?? ''),
    ]);
    expect(ofRefund.match(/^POST [^ ]+/gm)).toEqual(['POST /v1/deposits/:id/refunds']);
    expect(ofCall.match(/^POST [^ ]+/gm)).toEqual(['POST /v1/deposits']);
    // The record's own trace, as a viewer shows it, leads to the same.
    const ofRecord = await traced(traceIdOf(id));
    expect(ofRecord.match(/^POST [^ ]+/gm)).toEqual(view.match(/^POST [^ ]+/gm));
  });

  test('prints a live deposit with the payment that its provider reported', async () => {
    const [demo] = stack.dev.merchants;
    const live = new MerchantClient(stack.baseUrl, demo!.live);
    const { id } = (await live.post('/v1/deposits', { amount: 700, external_id: 'traced-3' })).body;
    await fetch(`${stack.simulatorUrl}/control/charges/${id.slice(4)}/pay`, { method: 'POST' });
    await eventually(async () => expect((await live.get(`/v1/deposits/${id}`)).body.status).toBe('PAID'));
    await eventually(async () => expect(await traced(id)).toContain(`credit-deposit:${id} applied`));
  });

  test.each(['dep_01k9zzzzzzzzzzzzzzzzzzzzzz', '../secrets', ''])('says what it knows nothing of: %j', async (id) => {
    await expect(traced(id)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/./) as string });
  });
});
