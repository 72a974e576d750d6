import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMerchant, postAs, runFacade, type Answer, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
let merchant: ReturnType<typeof addMerchant>;
let signedIn: Answer;
beforeAll(async () => {
  facade = await runFacade();
  merchant = addMerchant(facade.peers);
  signedIn = await facade.authenticate(merchant.publicKey, merchant.secretKey);
});
afterAll(async () => facade[Symbol.asyncDispose]());

let orders = 0;
const generate = async (body: Record<string, unknown>, prefix = '/compat/cli') => {
  const externalId = `order-${(orders += 1)}`;
  const answer = await facade.call(`${prefix}/payment/pix/generate-pix`, postAs(signedIn, { externalId, ...body }));
  const asked = facade.peers.payments.deposits.get(`live ${merchant.accountId} ${externalId}`)?.asked;
  return { answer, asked, externalId };
};

describe('generate-pix', () => {
  test.each(['/compat/cli', '/compat/alt/cli', '/cli'])(
    'answers 200 with the five members under %s',
    async (prefix) => {
      const { answer, externalId } = await generate({ value: 19.9, expiration: 0 }, prefix);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"value":19.9,');
      expect(answer.body).toEqual({
        success: true,
        data: {
          pix: `00020126-${externalId}`,
          value: 19.9,
          clientId: merchant.publicKey,
          paymentId: expect.stringMatching(/^dep_/) as string,
          movId: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        },
        errors: [],
      });
    },
  );

  test('with only value, expiration and externalId is a whole request', async () => {
    const { asked } = await generate({ value: 1, expiration: 3_600 });
    expect(asked).toMatchObject({
      environment: 'live',
      amount: 100,
      currency: 'BRL',
      paymentMethod: 'PIX',
      expiresInSec: 3_600,
      payer: null,
    });
  });

  test.each([
    ['0', { expiration: 0 }],
    ['absent', {}],
    ['null', { expiration: null }],
  ])('expiration %s is a day', async (_name, given) => {
    expect((await generate({ value: 1, ...given })).asked?.expiresInSec).toBe(86_400);
  });

  test.each([1, 59, 2_592_000])('expiration %i is so many seconds', async (expiration) => {
    expect((await generate({ value: 1, expiration })).asked?.expiresInSec).toBe(expiration);
  });

  test.each([
    [67.56, 6_756],
    [0.29, 29],
    [1_999 / 100, 1_999],
    ['19.90', 1_990],
    [5, 500],
    [1_000_000_000, 100_000_000_000],
  ])('value %s is %i cents: decimal text, no float multiplication', async (value, cents) => {
    expect((await generate({ value })).asked?.amount).toBe(cents);
  });

  test('a repeated externalId is answered with success, the same pix, paymentId and movId', async () => {
    const first = await generate({ value: 1 });
    const again = await generate({ value: 2, externalId: first.externalId });
    expect(again.answer).toMatchObject({ status: 200, body: first.answer.body });
  });

  test('an externalId of a deposit in another currency is 422: its amount is not shown as reais', async () => {
    const { externalId } = await generate({ value: 1 });
    const { deposits } = facade.peers.payments;
    const key = `live ${merchant.accountId} ${externalId}`;
    const known = deposits.get(key)!;
    deposits.set(key, { ...known, deposit: { ...known.deposit, currency: 'MXN', emv: null } });
    const { answer } = await generate({ value: 1, externalId });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ success: false, data: null, errors: ['externalId is that of a record in MXN'] });
  });

  test.each([[[]], ['text'], [null]])('a body that is %j is 400, and says what it must be', async (body) => {
    const answer = await facade.call('/cli/payment/pix/generate-pix', postAs(signedIn, body));
    expect(answer).toMatchObject({ status: 400, body: { errors: ['the body must be a JSON object'] } });
  });

  test('reads the buyer members of older clients as the payer, and ignores what it does not know', async () => {
    const buyer = {
      buyerName: 'Maria Souza',
      buyerCpf: '111.444.777-35',
      buyerEmail: 'maria@shop.example',
      buyerPhone: '+5511987654321',
    };
    const { asked } = await generate({ value: 1, ...buyer, utm_source: { deep: [1] }, callback: null });
    expect(asked?.payer).toEqual({
      name: 'Maria Souza',
      document: '11144477735',
      email: 'maria@shop.example',
      phone: '+5511987654321',
    });
    expect(asked?.metadata).toEqual({});
  });

  test('prefers the payer members, and takes empty text for a member left out', async () => {
    const payer = {
      payerName: 'Ana Lima',
      buyerName: 'Maria Souza',
      payerDocument: '',
      payerEmail: 'x',
      payerPhone: '',
    };
    const { asked } = await generate({ value: 1, ...payer });
    expect(asked?.payer).toEqual({ name: 'Ana Lima', document: null, email: null, phone: null });
  });

  test('takes an alphanumeric CNPJ', async () => {
    const { asked } = await generate({ value: 1, payerDocument: '12.abc.345/01de-35' });
    expect(asked?.payer?.document).toBe('12ABC34501DE35');
  });

  test.each(['1e2', '1E2', '1.5e1', '100e-2'])(
    'refuses the number %s with 400, and nothing is created',
    async (number) => {
      const before = facade.peers.payments.deposits.size;
      const order = { ...postAs(signedIn, {}), body: `{"value":${number},"externalId":"exponent","other":[1e2]}` };
      const answer = await facade.call('/compat/cli/payment/pix/generate-pix', order);
      expect(answer).toMatchObject({ status: 400, body: { success: false, data: null } });
      expect(answer.body.errors).toEqual([expect.stringContaining('value must be a decimal number')]);
      expect(facade.peers.payments.deposits.size).toBe(before);
    },
  );

  test.each<[string, Record<string, unknown>, string]>([
    ['a name of two letters', { value: 1, payerName: 'Jo' }, 'payerName must be at least 3 characters long'],
    ['a name that is none', { value: 1, payerName: 7 }, 'payerName must be text'],
    ['a comma', { value: '12,50' }, 'value'],
    ['an exponent', { value: '1e2' }, 'value'],
    ['an exponent as a number', { value: 1e-7 }, 'value'],
    ['more than two decimals', { value: 12.505 }, 'value'],
    ['zero', { value: 0 }, 'value'],
    ['a negative value', { value: -1 }, 'value'],
    ['more than a billion', { value: 1_000_000_000.01 }, 'value'],
    ['no value', {}, 'value'],
    ['a list as value', { value: [1] }, 'value'],
    ['a negative expiration', { value: 1, expiration: -1 }, 'expiration'],
    ['a fraction of a second', { value: 1, expiration: 90.5 }, 'expiration'],
    ['an expiration beyond thirty days', { value: 1, expiration: 2_592_001 }, 'expiration'],
    ['no externalId', { value: 1, externalId: undefined }, 'externalId is required'],
    ['an externalId that is a number', { value: 1, externalId: 7 }, 'externalId is required and must be text'],
    ['an empty externalId', { value: 1, externalId: '' }, 'externalId'],
    ['wrong check digits of a CPF', { value: 1, payerDocument: '11144477736' }, 'payerDocument'],
    ['wrong check digits of a CNPJ', { value: 1, payerDocument: '12ABC34501DE36' }, 'payerDocument'],
  ])('refuses %s with 400 naming the field, and nothing is created', async (_name, body, field) => {
    const before = facade.peers.payments.deposits.size;
    const { answer } = await generate(body);
    expect(answer.status).toBe(400);
    const errors = [expect.stringContaining(field)];
    expect(answer.body).toEqual({ success: false, data: null, errors });
    expect(facade.peers.payments.deposits.size).toBe(before);
  });
});
