import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PayoutStatus } from '@gateway/contracts/payouts';
import { addMerchant, post, postAs, runFacade, type Answer, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
let merchant: ReturnType<typeof addMerchant>;
let signedIn: Answer;
beforeAll(async () => {
  facade = await runFacade();
  merchant = addMerchant(facade.peers);
  signedIn = await facade.authenticate(merchant.publicKey, merchant.secretKey);
});
beforeEach(() => {
  Object.assign(facade.peers.payments, {
    payoutStatus: 'PROCESSING',
    payoutRefusal: undefined,
    providerIsSlow: false,
    silence: undefined,
  });
});
afterAll(async () => facade[Symbol.asyncDispose]());

let withdrawals = 0;
const path = '/compat/cli/payment/pix/pix-key';
const pay = async (body: Record<string, unknown>) => {
  const externalId = `withdrawal-${(withdrawals += 1)}`;
  const answer = await facade.call(path, postAs(signedIn, { externalId, pixKey: 'maria@example.com', ...body }));
  const asked = facade.peers.payments.payouts.get(`live ${merchant.accountId} ${externalId}`)?.asked;
  return { answer, asked, externalId };
};
const oneReal = { payment: { amount: 1 } };

describe('pix-key', () => {
  test('without key type and receiver is a whole request, answered 200 with the record', async () => {
    const { answer, asked, externalId } = await pay({ payment: { amount: 12.5 } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"value":12.5,');
    expect(answer.body).toEqual({
      success: true,
      data: {
        paymentId: expect.stringMatching(/^pyt_/) as string,
        movId: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        externalId,
        status: 'PROCESSING',
        value: 12.5,
        pixKey: 'maria@example.com',
        receiverName: null,
        receiverDocument: null,
      },
      errors: [],
    });
    expect(asked).toMatchObject({
      amount: 1_250,
      currency: 'BRL',
      kind: 'PLAYER_PAYOUT',
      enforceOwnership: false,
      recipient: { name: '', document: '', email: null, phone: null },
    });
  });

  test.each([
    [12.5, 1_250],
    ['12.50', 1_250],
    ['0.01', 1],
    [67.56, 6_756],
  ])('amount %j, number or text, is %i cents', async (amount, cents) => {
    expect((await pay({ payment: { amount } })).asked?.amount).toBe(cents);
  });

  test.each([
    ['123e4567-e89b-12d3-a456-426614174000', 'random', '123e4567-e89b-12d3-a456-426614174000'],
    ['Maria@Example.com', 'email', 'maria@example.com'],
    ['+5511987654321', 'phone', '+5511987654321'],
    ['111.444.777-35', 'cpf', '11144477735'],
    ['12.ABC.345/01DE-35', 'cnpj', '12ABC34501DE35'],
  ])('reads the type of key %s from the key: %s', async (pixKey, keyType, key) => {
    expect((await pay({ pixKey, ...oneReal })).asked).toMatchObject({ keyType, key });
  });

  test('a key that is a document names the receiver the client left out', async () => {
    const { answer, asked } = await pay({ pixKey: '11144477735', ...oneReal });
    expect(asked?.recipient.document).toBe('11144477735');
    expect(answer.body.data).toMatchObject({ receiverName: null, receiverDocument: '11144477735' });
  });

  test('keeps the receiver the client names', async () => {
    const receiver = {
      receiverName: 'Maria Souza',
      receiverDocument: '111.444.777-35',
      receiverEmail: 'maria@shop.example',
      receiverPhone: '+5511987654321',
    };
    const { answer, asked } = await pay({ ...receiver, ...oneReal });
    expect(asked?.recipient).toEqual({
      name: 'Maria Souza',
      document: '11144477735',
      email: 'maria@shop.example',
      phone: '+5511987654321',
    });
    expect(answer.body.data).toMatchObject({ receiverName: 'Maria Souza', receiverDocument: '11144477735' });
  });

  test.each<[PayoutStatus, string]>([
    ['PENDING', 'PENDING'],
    ['PROCESSING', 'PROCESSING'],
    ['PAID', 'CONFIRMED'],
    ['FAILED', 'FAILED'],
    ['REJECTED', 'FAILED'],
  ])('a payout that is %s is shown as %s', async (status, shown) => {
    facade.peers.payments.payoutStatus = status;
    expect((await pay(oneReal)).answer.body.data).toMatchObject({ status: shown });
  });

  test('a repeated externalId is answered with the same ids', async () => {
    const first = await pay(oneReal);
    const again = await pay({ externalId: first.externalId, payment: { amount: 99 } });
    expect(again.answer).toMatchObject({ status: 200, body: first.answer.body });
  });

  test('a provider slower than the client is 200 with the record as PROCESSING, and the same ids afterwards', async () => {
    facade.peers.payments.providerIsSlow = true;
    const slow = await pay({ ...oneReal, pixKey: '11144477735' });
    expect(slow.answer).toMatchObject({ status: 200, body: { success: true, data: { status: 'PROCESSING' } } });
    expect(facade.peers.payments.payoutTimeoutMs).toBeLessThanOrEqual(3_700);
    const again = await pay({ ...oneReal, externalId: slow.externalId });
    expect(again.answer.body).toEqual(slow.answer.body);
  });

  test.each([
    ['made', 200, { success: true, data: { status: 'PROCESSING', value: 1 } }],
    ['not made', 503, { success: false, data: null }],
    ['not known', 504, { success: false, data: null, errors: [expect.stringContaining('the same externalId')] }],
  ] as const)('of which no answer comes is told by what has become of it: %s is %i', async (payoutIs, status, body) => {
    const silence = { ...Promise.withResolvers<void>(), payoutIs };
    facade.peers.payments.silence = silence;
    const { answer, externalId } = await pay(oneReal);
    silence.resolve();
    facade.peers.payments.silence = undefined;
    expect(answer).toMatchObject({ status, body });
    if (payoutIs === 'not made') return;
    const again = await pay({ ...oneReal, externalId });
    const made = facade.peers.payments.payouts.get(`live ${merchant.accountId} ${externalId}`)?.payout;
    expect(again.answer).toMatchObject({ status: 200, body: { data: { paymentId: made?.id, externalId } } });
  });

  test('an externalId of a payout in another currency is 422: its amount is not shown as reais', async () => {
    const { externalId } = await pay(oneReal);
    const key = `live ${merchant.accountId} ${externalId}`;
    const known = facade.peers.payments.payouts.get(key)!;
    facade.peers.payments.payouts.set(key, { ...known, payout: { ...known.payout, currency: 'MXN' } });
    const { answer } = await pay({ ...oneReal, externalId });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ success: false, data: null, errors: ['externalId is that of a record in MXN'] });
  });

  test.each([
    ['INSUFFICIENT_FUNDS', 422],
    ['PROVIDER_UNAVAILABLE', 503],
  ] as const)('%s is %i in the envelope', async (code, status) => {
    facade.peers.payments.payoutRefusal = code;
    const { answer } = await pay(oneReal);
    expect(answer).toMatchObject({ status, body: { success: false, data: null, errors: ['the payout is refused'] } });
  });

  test('refuses the number 1e2 with 400, and nothing is sent', async () => {
    const before = facade.peers.payments.payouts.size;
    const body = '{"externalId":"exponent","pixKey":"maria@example.com","payment":{"amount":1e2}}';
    const answer = await facade.call('/compat/cli/payment/pix/pix-key', { ...postAs(signedIn, {}), body });
    expect(answer).toMatchObject({ status: 400, body: { success: false, data: null } });
    expect(answer.body.errors).toEqual([expect.stringContaining('payment.amount must be a decimal number')]);
    expect(facade.peers.payments.payouts.size).toBe(before);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a comma', { payment: { amount: '12,50' } }, 'payment.amount'],
    ['an exponent', { payment: { amount: '1e2' } }, 'payment.amount'],
    ['more than two decimals', { payment: { amount: 1.005 } }, 'payment.amount'],
    ['zero', { payment: { amount: 0 } }, 'payment.amount'],
    ['less than zero', { payment: { amount: '-5' } }, 'payment.amount'],
    ['no payment', {}, 'payment'],
    ['no externalId', { ...oneReal, externalId: null }, 'externalId is required'],
    ['a key of no type', { ...oneReal, pixKey: 'maria' }, 'pixKey'],
    ['a key with wrong check digits', { ...oneReal, pixKey: '11144477736' }, 'pixKey'],
    ['a receiver with wrong check digits', { ...oneReal, receiverDocument: '11144477736' }, 'receiverDocument'],
  ])('refuses %s with 400 naming the field, and nothing is sent', async (_name, body, field) => {
    const before = facade.peers.payments.payouts.size;
    const { answer } = await pay(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ success: false, data: null, errors: [expect.stringContaining(field)] });
    expect(facade.peers.payments.payouts.size).toBe(before);
  });

  test('without a token is 401, whatever the body, and nothing is sent', async () => {
    const before = facade.peers.payments.payouts.size;
    for (const body of [{}, { externalId: 'x', pixKey: 'maria@example.com', ...oneReal }]) {
      const answer = await facade.call(path, post(body));
      expect(answer).toMatchObject({ status: 401, body: { success: false, data: null } });
    }
    expect(facade.peers.payments.payouts.size).toBe(before);
  });
});
