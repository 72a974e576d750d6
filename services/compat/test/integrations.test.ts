import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listIntegrations, removeIntegration, setIntegration } from '@gateway/contracts/connector';
import type { RequestOf } from '@gateway/contracts/messages';
import { callRpc } from '@gateway/messaging';
import { addMerchant, bearer, post, postAs, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await runFacade();
});
afterAll(async () => facade[Symbol.asyncDispose]());

const restrict = (accountId: string, members: Partial<RequestOf<typeof setIntegration>>) =>
  callRpc(facade.bus, setIntegration, { accountId, prefix: 'alt', ipAllowlist: [], payoutsEnabled: true, ...members });
const from = (address: string, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': address },
});
async function merchantWithToken() {
  const merchant = addMerchant(facade.peers);
  return { ...merchant, signedIn: await facade.authenticate(merchant.publicKey, merchant.secretKey) };
}
const balanceAt = async (prefix: string, address: string, token: RequestInit) =>
  (await facade.call(`${prefix}/client/balance`, from(address, token))).status;

describe('the addresses of an integration', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['203.0.113.0/24', '203.0.113.200', '203.0.114.1'],
    ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
    ['2001:db8::/32', '2001:db8::1', '2001:db9::1'],
  ])('listing %s let %s in and keep %s out', async (entry, inside, outside) => {
    const { accountId, signedIn } = await merchantWithToken();
    await restrict(accountId, { ipAllowlist: [entry] });
    expect(await balanceAt('/compat/alt/cli', inside, bearer(signedIn))).toBe(200);
    expect(await balanceAt('/compat/alt/cli', outside, bearer(signedIn))).toBe(401);
  });

  test("another integration's address is 401 in the envelope on all five operations, and nothing is done", async () => {
    const { publicKey, secretKey, accountId, signedIn } = await merchantWithToken();
    const stranger = await merchantWithToken();
    await restrict(accountId, { ipAllowlist: ['203.0.113.7'] });
    await restrict(stranger.accountId, { ipAllowlist: ['203.0.113.8'] });
    const { deposits, payouts } = facade.peers.payments;
    const before = [deposits.size, payouts.size, facade.peers.registrations.size];
    const order = { externalId: 'order', value: 1 };
    const withdrawal = { externalId: 'withdrawal', pixKey: 'maria@example.com', payment: { amount: 1 } };
    const calls: [string, RequestInit][] = [
      ['client/authenticate', post({ clientId: publicKey, password: secretKey })],
      ['client/balance', bearer(signedIn)],
      ['client/update/notification-url', { ...postAs(signedIn, { notificationUrl: [] }), method: 'PUT' }],
      ['payment/pix/generate-pix', postAs(signedIn, order)],
      ['payment/pix/pix-key', postAs(signedIn, withdrawal)],
    ];
    for (const [path, init] of calls) {
      const answer = await facade.call(`/compat/alt/cli/${path}`, from('203.0.113.8', init));
      expect(answer.status, path).toBe(401);
      expect(answer.body).toEqual({ success: false, data: null, errors: [expect.stringContaining('address')] });
    }
    expect([deposits.size, payouts.size, facade.peers.registrations.size]).toEqual(before);
  });

  test('restrict their own connector alone, and both prefixes of the first one', async () => {
    const { accountId, signedIn } = await merchantWithToken();
    const token = bearer(signedIn);
    await restrict(accountId, { ipAllowlist: ['203.0.113.7'] });
    expect(await balanceAt('/compat/cli', '198.51.100.1', token)).toBe(200);
    await restrict(accountId, { prefix: 'cli', ipAllowlist: ['203.0.113.7'] });
    expect(await balanceAt('/compat/cli', '198.51.100.1', token)).toBe(401);
    expect(await balanceAt('/cli', '198.51.100.1', token)).toBe(401);
  });

  test('of one account do not restrict another', async () => {
    const [restricted, other] = [await merchantWithToken(), await merchantWithToken()];
    await restrict(restricted.accountId, { ipAllowlist: ['203.0.113.7'] });
    expect(await balanceAt('/compat/alt/cli', '198.51.100.1', bearer(restricted.signedIn))).toBe(401);
    expect(await balanceAt('/compat/alt/cli', '198.51.100.1', bearer(other.signedIn))).toBe(200);
  });

  test("of the second connector stand in the place of the key's own; without them, and elsewhere, the key's hold", async () => {
    const { accountId, publicKey, secretKey, signedIn } = await merchantWithToken();
    const token = bearer(signedIn);
    facade.peers.keys.set(publicKey, { ...facade.peers.keys.get(publicKey)!, onlyFrom: '198.51.100.1' });
    const from203 = [
      balanceAt('/compat/alt/cli', '203.0.113.7', token),
      balanceAt('/compat/cli', '203.0.113.7', token),
    ];
    expect(await Promise.all(from203)).toEqual([401, 401]);
    expect(await balanceAt('/compat/alt/cli', '198.51.100.1', token)).toBe(200);
    await restrict(accountId, { ipAllowlist: ['203.0.113.7'] });
    expect(await balanceAt('/compat/alt/cli', '203.0.113.7', token)).toBe(200);
    expect(await balanceAt('/compat/alt/cli', '198.51.100.1', token)).toBe(401);
    expect(await balanceAt('/compat/cli', '203.0.113.7', token)).toBe(401);
    expect(await balanceAt('/compat/cli', '198.51.100.1', token)).toBe(200);
    const signIn = from('203.0.113.7', post({ clientId: publicKey, password: secretKey }));
    expect(await facade.call('/compat/alt/cli/client/authenticate', signIn)).toMatchObject({ status: 200 });
    expect(await facade.call('/compat/cli/client/authenticate', signIn)).toMatchObject({ status: 401 });
  });

  test('are replaced as a whole, in force for the next call; no entries lift them', async () => {
    const { accountId, signedIn } = await merchantWithToken();
    const token = bearer(signedIn);
    const first = await restrict(accountId, { ipAllowlist: ['203.0.113.7'] });
    expect(first.before).toBeNull();
    expect(await balanceAt('/compat/alt/cli', '198.51.100.1', token)).toBe(401);
    const second = await restrict(accountId, {});
    expect(second.before).toEqual(first.integration);
    expect(second.integration).toEqual({ ...first.integration, ipAllowlist: [] });
    expect(await balanceAt('/compat/alt/cli', '198.51.100.1', token)).toBe(200);
  });

  test('are compared with the client behind the gateway, and a gateway elsewhere is not believed', async () => {
    const { signedIn } = await merchantWithToken();
    await balanceAt('/compat/cli', '198.51.100.77', bearer(signedIn));
    expect(facade.peers.addresses.at(-1)).toBe('198.51.100.77');
    await using replica = await facade.startReplica({ GATEWAY_ADDRESSES: '203.0.113.1' });
    await facade.call('/cli/client/balance', from('198.51.100.77', bearer(signedIn)), replica.port);
    expect(facade.peers.addresses.at(-1)).toBe('127.0.0.1');
  });
});

describe('payouts switched off', () => {
  test('are 422 in the envelope with nothing sent, while all else goes on', async () => {
    const { accountId, signedIn } = await merchantWithToken();
    const withdrawal = postAs(signedIn, {
      ...{ externalId: 'withdrawal', pixKey: 'maria@example.com', payment: { amount: 1 } },
    });
    expect(await facade.call('/compat/alt/cli/payment/pix/pix-key', withdrawal)).toMatchObject({ status: 200 });
    await restrict(accountId, { payoutsEnabled: false });
    const before = facade.peers.payments.payouts.size;
    const answer = await facade.call('/compat/alt/cli/payment/pix/pix-key', withdrawal);
    expect(answer).toMatchObject({ status: 422, body: { success: false, data: null } });
    expect(answer.body.errors).toEqual(['payouts are switched off for this integration']);
    expect(facade.peers.payments.payouts.size).toBe(before);
    const order = postAs(signedIn, { externalId: 'order', value: 1 });
    expect(await facade.call('/compat/alt/cli/payment/pix/generate-pix', order)).toMatchObject({ status: 200 });
    expect(await facade.call('/compat/cli/payment/pix/pix-key', withdrawal)).toMatchObject({ status: 200 });
  });
});

test('two operators who set one integration at once leave one', async () => {
  const { accountId } = addMerchant(facade.peers);
  const set = await Promise.all(Array.from({ length: 8 }, () => restrict(accountId, { ipAllowlist: ['203.0.113.7'] })));
  expect(new Set(set.map(({ integration }) => integration.id)).size).toBe(1);
});

test('restrictions are listed by account and connector, and once lifted the next call passes', async () => {
  const { accountId, signedIn } = await merchantWithToken();
  await restrict(accountId, { ipAllowlist: ['203.0.113.7'] });
  await restrict(accountId, { prefix: 'cli', payoutsEnabled: false });
  const listed = async (filter: object) => (await callRpc(facade.bus, listIntegrations, filter)).integrations;
  expect(await listed({ accountId })).toMatchObject([{ prefix: 'alt' }, { prefix: 'cli', payoutsEnabled: false }]);
  expect(await listed({ accountId, prefix: 'alt' })).toMatchObject([{ accountId, ipAllowlist: ['203.0.113.7'] }]);
  expect(await balanceAt('/compat/alt/cli', '203.0.113.8', bearer(signedIn))).toBe(401);
  const { before } = await callRpc(facade.bus, removeIntegration, { accountId, prefix: 'alt' });
  expect(before).toMatchObject({ accountId, prefix: 'alt', ipAllowlist: ['203.0.113.7'] });
  expect(await listed({ accountId })).toMatchObject([{ prefix: 'cli' }]);
  expect(await balanceAt('/compat/alt/cli', '203.0.113.8', bearer(signedIn))).toBe(200);
  await expect(callRpc(facade.bus, removeIntegration, { accountId, prefix: 'alt' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
