import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDeposit, createRefund, listDeposits } from '@gateway/contracts/deposits';
import { ValidationError } from '@gateway/contracts/errors';
import { getBalance, listEntries, showEntries } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { createPayout, listPayouts } from '@gateway/contracts/payouts';
import { registerWebhook } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { listing } from '../harness/listing.ts';
import { depositOf, entryOf, payoutOf, webhookOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let keys: Readonly<Record<'0.1' | '1.0', KeyPair>>;
let deposits: RequestOf<typeof createDeposit>[] = [];
let payouts: RequestOf<typeof createPayout>[] = [];
let refunds: RequestOf<typeof createRefund>[] = [];

beforeAll(async () => {
  gateway = await startGateway([
    answering(createDeposit, async (request) => {
      deposits.push(request);
      if (request.amount === 13) throw new ValidationError([{ path: 'amount_cents', message: 'must exceed the fee' }]);
      return { created: true, deposit: depositOf(request) };
    }),
    answering(listDeposits, async () => ({ deposits: [], nextCursor: null })),
    answering(listPayouts, async () => ({ payouts: [], nextCursor: null })),
    answering(createPayout, async (request) => {
      payouts.push(request);
      return { created: true, payout: payoutOf(request) };
    }),
    answering(createRefund, async (request) => {
      refunds.push(request);
      throw new ValidationError([{ path: 'amount_cents', message: 'is too much' }]);
    }),
    answering(getBalance, async () => ({
      balances: [
        { currency: 'BRL' as const, available: 100, pending: 20, blocked: 3 },
        { currency: 'MXN' as const, available: 5_000, pending: 0, blocked: 0 },
      ],
    })),
    ...listing('entry', { list: listEntries, show: showEntries }, async (owner) => ({
      entries: [entryOf(owner, 700)],
      nextCursor: null,
    })),
    answering(registerWebhook, async (request) => ({ webhook: webhookOf(request), secret: 'whsec_1' })),
  ]);
  const { id, test: key } = await gateway.newAccount();
  const beta = { environment: 'test', api_version: '1.0' };
  keys = { '0.1': key, '1.0': (await gateway.asOperator('POST', `/ops/accounts/${id}/keys`, { body: beta })).body };
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  [deposits, payouts, refunds] = [[], [], []];
});

const post = (path: string, body: object, header?: string, key: '0.1' | '1.0' = '0.1') =>
  gateway.asMerchant(keys[key], 'POST', path, { body, ...(header ? { headers: { 'x-api-version': header } } : {}) });
const get = (path: string, key: '0.1' | '1.0' = '1.0') => gateway.asMerchant(keys[key], 'GET', path);

let count = 0;
const reference = () => `ref-${++count}`;
const before = (more: object = {}) => ({ amount_cents: 1_990, external_id: reference(), ...more });
const beta = (more: object = {}) => ({ amount: 1_990, external_id: reference(), ...more });
const betaPayout = (more: object = {}) => ({
  ...beta(),
  payout_key: 'maria@example.com',
  payout_key_type: 'email',
  recipient: { name: 'Maria da Silva', document: '529.982.247-25' },
  ...more,
});
const mexican = {
  currency: 'MXN',
  payout_key: '032180000118359719',
  payout_key_type: 'clabe',
  recipient: { name: 'Elena Godoy', document: 'gode-561231-gr8' },
};

describe('the contract of a call is', () => {
  test('that of the header, else that of the form of the body, else that of the key', async () => {
    const shapeOf = async (call: ReturnType<typeof post>) => ('amount_cents' in (await call).body ? '0.1' : '1.0');
    expect(await shapeOf(post('/v1/deposits', before()))).toBe('0.1');
    expect(await shapeOf(post('/v1/deposits', before(), '1.0'))).toBe('1.0');
    expect(await shapeOf(post('/v1/deposits', before(), undefined, '1.0'))).toBe('1.0');
    expect(await shapeOf(post('/v1/deposits', before(), '0.1', '1.0'))).toBe('0.1');
    expect(await shapeOf(post('/v1/deposits', beta()))).toBe('1.0');
    expect(await shapeOf(post('/v1/deposits', beta(), '0.1'))).toBe('0.1');
    expect(deposits.map(({ apiVersion }) => apiVersion)).toEqual(['0.1', '1.0', '1.0', '0.1', '1.0', '0.1']);
    expect(new Set(deposits.map(({ amount }) => amount))).toEqual(new Set([1_990]));
  });

  test('refused when the header names none', async () => {
    const { status, body } = await post('/v1/deposits', beta(), '2.0');
    expect([status, body.error.details[0]?.path]).toEqual([400, 'x-api-version']);
  });

  test('that of its webhooks', async () => {
    const endpoint = { name: 'shop', url: 'https://shop.example/hook' };
    expect((await post('/v1/webhooks', endpoint)).body).toMatchObject({ api_version: '0.1' });
    expect((await post('/v1/webhooks', endpoint, '1.0')).body).toMatchObject({ api_version: '1.0' });
    expect((await post('/v1/webhooks', endpoint, undefined, '1.0')).body).toMatchObject({ api_version: '1.0' });
  });

  test('that in which balance, entries and statement are shown', async () => {
    const brl = { available: 100, pending: 20, blocked: 3, total: 123 };
    expect(JSON.parse((await get('/v1/balance')).text)).toEqual({
      brl,
      mxn: { available: 5_000, pending: 0, blocked: 0, total: 5_000 },
    });
    expect(JSON.parse((await get('/v1/balance?currency=BRL')).text)).toEqual({ brl });
    expect(JSON.parse((await get('/v1/balance?currency=USDT')).text)).toEqual({});
    const held = { available_cents: 100, pending_cents: 20, blocked_cents: 3, total_cents: 123 };
    const none = { available_cents: 0, pending_cents: 0, blocked_cents: 0, total_cents: 0 };
    for (const query of ['', '?currency=BRL', '?currency=USDT']) {
      const { text } = await get(`/v1/balance${query}`, '0.1');
      expect([query, JSON.parse(text)]).toEqual([query, { brl: held, usdt: none }]);
    }
    expect((await get('/v1/transactions')).body.data[0]).toMatchObject({ amount: 700, currency: 'BRL' });
    expect((await get('/v1/transactions', '0.1')).body.data[0]).toMatchObject({ amount_cents: 700 });
    const csv = await gateway.asMerchant(keys['1.0'], 'GET', '/v1/transactions', { headers: { accept: 'text/csv' } });
    expect(csv.text.split('\n')[0]).toBe('id,type,amount,currency,ref_type,ref_id,balance_after,created_at');
  });

  test('that of its refusals', async () => {
    const paths = async (call: ReturnType<typeof post>) => (await call).body.error.details.map(({ path }) => path);
    expect(await paths(post('/v1/deposits', { external_id: 'x' }))).toEqual(['amount_cents']);
    expect(await paths(post('/v1/deposits', { external_id: 'x' }, '1.0'))).toEqual(['amount']);
    expect(await paths(post('/v1/deposits', before({ amount_cents: 13 })))).toEqual(['amount_cents']);
    const refused = await post('/v1/deposits', beta({ amount: 13 }));
    expect(refused.body.error.message).toBe('amount must exceed the fee');
    const refund = '/v1/deposits/dep_01k9z3m4v6t8x0a2c4e6g8jk02/refunds';
    expect(await paths(post(refund, beta()))).toEqual(['amount']);
    expect(refunds[0]?.amount).toBe(1_990);
  });
});

describe('a deposit of contract 1.0', () => {
  test('is PIX in BRL unless it says otherwise, and SPEI in MXN', async () => {
    const pix = await post('/v1/deposits', beta());
    expect(pix.body).toMatchObject({ flow: 'QR', charge: { type: 'pix', emv: '00020126' }, payment_method: 'PIX' });
    expect(pix.body).toMatchObject({ amount: 1_990, fee: 0, net: 1_990, currency: 'BRL' });
    const spei = await post('/v1/deposits', beta({ currency: 'MXN', payer: { document: 'GODE561231GR8' } }));
    expect(spei.body).toMatchObject({ flow: 'REDIRECT', charge: { type: 'spei' }, currency: 'MXN' });
    expect(deposits.map(({ currency, paymentMethod }) => [currency, paymentMethod])).toEqual([
      ['BRL', 'PIX'],
      ['MXN', 'SPEI'],
    ]);
    expect(deposits[1]?.payer?.document).toBe('GODE561231GR8');
  });

  test.each([
    ['a currency nobody knows', { currency: 'EUR' }],
    ['a currency in lower case', { currency: 'brl' }],
    ['a currency that is only held', { currency: 'USDT' }],
    ['a method nobody knows', { payment_method: 'BOLETO' }],
    ["another currency's method", { payment_method: 'SPEI' }],
    ["the other currency's method", { currency: 'MXN', payment_method: 'PIX' }],
  ])('with %s is CURRENCY_NOT_SUPPORTED', async (_case, members) => {
    const { status, body } = await post('/v1/deposits', beta(members));
    expect([status, body.error.code]).toEqual([422, 'CURRENCY_NOT_SUPPORTED']);
    expect(deposits).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a currency that is no text', { currency: 986 }, 'currency'],
    ['a malformed e-mail of the payer', { payer: { email: 'nonsense' } }, 'payer.email'],
    ['a payer with a Mexican document in BRL', { payer: { document: 'GODE561231GR8' } }, 'payer.document'],
    ['a payer without a document in MXN', { currency: 'MXN', payer: { document: '*' } }, 'payer.document'],
    ['a fraction of a cent', { amount: 1.5 }, 'amount'],
    ['more than a billion', { amount: 100_000_000_001 }, 'amount'],
  ])('with %s is a 400 that names it', async (_case, members, path) => {
    const { status, body } = await post('/v1/deposits', beta(members));
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
  });
});

describe('a payout of contract 1.0', () => {
  test('goes to a PIX key, under either name, or to a CLABE', async () => {
    expect((await post('/v1/payouts', betaPayout())).body.payout).toMatchObject({
      ...{ amount: 1_990, currency: 'BRL', payout_key: 'maria@example.com', payout_key_type: 'email' },
    });
    const { payout_key: key, payout_key_type: type, ...rest } = betaPayout();
    expect((await post('/v1/payouts', { ...rest, pix_key: key, pix_key_type: type })).status).toBe(201);
    expect((await post('/v1/payouts', betaPayout(mexican))).body.payout).toMatchObject({
      ...{ currency: 'MXN', payment_method: 'SPEI', payout_key: '032180000118359719', payout_key_type: 'clabe' },
    });
    expect(payouts.map(({ paymentMethod }) => paymentMethod)).toEqual(['PIX', 'PIX', 'SPEI']);
    expect(payouts[2]?.recipient.document).toBe('GODE561231GR8');
  });

  test.each<[string, object, string]>([
    ['a CLABE in BRL', { payout_key: '032180000118359719', payout_key_type: 'clabe' }, 'payout_key_type'],
    ['a PIX key in MXN', { ...mexican, payout_key: 'maria@example.com', payout_key_type: 'email' }, 'payout_key_type'],
    ['a wrong control digit', { ...mexican, payout_key: '032180000118359718' }, 'payout_key'],
    ['a misfit of key and type', { payout_key: 'maria', payout_key_type: 'cpf' }, 'payout_key'],
    ['a CPF with wrong digits', { recipient: { name: 'Maria', document: '12345678900' } }, 'recipient.document'],
    ['no document of Mexico', { ...mexican, recipient: { name: 'Elena', document: 'GODE' } }, 'recipient.document'],
  ])('with %s is a 400 that names it', async (_case, members, path) => {
    const { status, body } = await post('/v1/payouts', betaPayout(members));
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
    expect(payouts).toEqual([]);
  });

  test.each(['EUR', 'USDT'])('in %s is CURRENCY_NOT_SUPPORTED', async (currency) => {
    const { status, body } = await post('/v1/payouts', betaPayout({ currency }));
    expect([status, body.error.code]).toEqual([422, 'CURRENCY_NOT_SUPPORTED']);
  });
});
