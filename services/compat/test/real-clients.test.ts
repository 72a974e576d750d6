import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMerchant, bearer, post, postAs, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
let merchant: ReturnType<typeof addMerchant>;
beforeAll(async () => {
  facade = await runFacade();
});
beforeEach(() => {
  merchant = addMerchant(facade.peers);
});
afterAll(async () => facade[Symbol.asyncDispose]());

const signIn = () => facade.authenticate(merchant.publicKey, merchant.secretKey);
const credentials = () => post({ clientId: merchant.publicKey, password: merchant.secretKey });

/** What public clients of the connector do (connector.md 1). */
describe('a client that', () => {
  test.each([
    ['the host', '', '/cli/client/authenticate'],
    ['the host and /cli', '/cli', '/client/authenticate'],
    ['the host and /compat', '/compat', '/cli/client/authenticate'],
    ['the host and the second connector', '/compat/alt', '/cli/client/authenticate'],
  ])('has %s as its base URL reaches the same operations', async (_name, base, path) => {
    expect(await facade.call(base + path, credentials())).toMatchObject({ status: 200, body: { success: true } });
  });

  test('takes anything but HTTP 200 for a failed sign-in gets 200, success and a token', async () => {
    const { status, body } = await signIn();
    expect([status, body.success, typeof body.data?.['token']]).toEqual([200, true, 'string']);
  });

  test('caches its token until exp reads eight hours from it', async () => {
    const { exp = 0, iat = 0 } = decodeJwt(String((await signIn()).body.data?.['token']));
    expect(exp - iat).toBe(28_800);
  });

  test('signs in again on 401 alone gets 401 for a token that is void, and goes on with a new one', async () => {
    const balance = (token: RequestInit) => facade.call('/cli/client/balance', token);
    const token = bearer(await signIn());
    const voided = {
      headers: { authorization: `${String((token.headers as Record<string, string>)['authorization'])}x` },
    };
    expect(await balance(voided)).toMatchObject({ status: 401, body: { success: false, data: null } });
    expect(await balance(bearer(await signIn()))).toMatchObject({ status: 200 });
  });

  test('holds a token of a revoked key gets 401 on every operation, and nothing is done', async () => {
    const answer = await signIn();
    facade.peers.keys.delete(merchant.publicKey);
    const { deposits, payouts } = facade.peers.payments;
    const before = [deposits.size, payouts.size, facade.peers.registrations.size];
    const calls: [string, RequestInit][] = [
      ['client/balance', bearer(answer)],
      ['client/update/notification-url', { ...postAs(answer, { notificationUrl: [] }), method: 'PUT' }],
      ['payment/pix/generate-pix', postAs(answer, { value: 1, externalId: 'a' })],
      ['payment/pix/pix-key', postAs(answer, { pixKey: 'a@b.co', externalId: 'a', payment: { amount: 1 } })],
    ];
    for (const [path, init] of calls) {
      expect(await facade.call(`/cli/${path}`, init), path).toMatchObject({ status: 401, body: { success: false } });
    }
    expect([deposits.size, payouts.size, facade.peers.registrations.size]).toEqual(before);
  });

  test.each(['Bearer', 'bearer', 'BEARER'])('writes %s is understood', async (scheme) => {
    const authorization = `${scheme} ${String((await signIn()).body.data?.['token'])}`;
    expect(await facade.call('/cli/client/balance', { headers: { authorization } })).toMatchObject({ status: 200 });
  });

  test('sends its token without Bearer gets 401', async () => {
    const authorization = String((await signIn()).body.data?.['token']);
    expect(await facade.call('/cli/client/balance', { headers: { authorization } })).toMatchObject({ status: 401 });
  });

  test('requires paymentId and movId to be text gets text', async () => {
    const order = postAs(await signIn(), { value: 19.9, expiration: 0, externalId: 'order-1' });
    const { data } = (await facade.call('/cli/payment/pix/generate-pix', order)).body;
    expect([typeof data?.['pix'], typeof data?.['paymentId'], typeof data?.['movId']]).toEqual(Array(3).fill('string'));
  });

  test('divides cents by 100 in floats has its cents understood, every one of them', async () => {
    const answer = await signIn();
    for (const cents of [1, 7, 29, 57, 58, 113, 1_990, 6_756, 99_999, 123_456_789]) {
      const order = postAs(answer, { value: cents / 100, externalId: `order-${cents}` });
      await facade.call('/cli/payment/pix/generate-pix', order);
      const made = facade.peers.payments.deposits.get(`live ${merchant.accountId} order-${cents}`);
      expect(made?.asked.amount).toBe(cents);
    }
  });

  test('repeats its call after a lost answer gets the movId it keeps as its primary key', async () => {
    const answer = await signIn();
    const order = postAs(answer, { value: 1, externalId: 'order-1' });
    const first = await facade.call('/cli/payment/pix/generate-pix', order);
    const again = await facade.call('/compat/cli/payment/pix/generate-pix', order);
    expect(again.body).toEqual(first.body);
  });

  test('shows errors to its user gets sentences in a list, and no data', async () => {
    const { body } = await facade.call('/cli/payment/pix/generate-pix', postAs(await signIn(), {}));
    expect(body).toMatchObject({ success: false, data: null });
    expect(body.errors.length).toBeGreaterThan(0);
    for (const error of body.errors) expect(error).toMatch(/^\w+ .+/);
  });

  test('pays out with neither key type nor receiver, as an operator switched nothing off, is served', async () => {
    const withdrawal = { externalId: 'withdrawal-1', pixKey: '+5511987654321', payment: { amount: 12.5 } };
    const answer = await facade.call('/cli/payment/pix/pix-key', postAs(await signIn(), withdrawal));
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { status: 'PROCESSING', value: 12.5 } } });
  });
});
