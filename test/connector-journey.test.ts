import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '@gateway/contracts/accounts';
import { createConnectorPayout, createPayout } from '@gateway/contracts/payouts';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { callRpc, connectBus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually, silentLogger } from '@gateway/test-kit';
import { DescribedClient } from './support/described-client.ts';
import { MerchantClient, type Json } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

let merchant: MerchantClient;
let receiver: WebhookReceiver;
let stack: Stack;
/** With the password of the connector's user. */
let brokerOfConnector = '';
/** The connector below each of its prefixes; every answer is held against its description. */
let connectors: Record<'cli' | 'compat' | 'alt', ReturnType<DescribedClient['as']>>;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  const reach = (service: string, url: string) => {
    if (service === 'compat' && url.startsWith('nats:')) brokerOfConnector = url;
    return url;
  };
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true, reach }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
  const below = async (prefix: string) => {
    const stranger = await DescribedClient.of(stack.baseUrl, '/compat/openapi.json', prefix);
    const credentials = { clientId: demo.test.public_key, password: demo.test.secret_key };
    const { body } = await stranger.as({})('POST /client/authenticate', credentials);
    return stranger.as({ authorization: `Bearer ${String(body.data.token)}` });
  };
  connectors = { cli: await below('/cli'), compat: await below('/compat/cli'), alt: await below('/compat/alt/cli') };
  await succeed(connectors.compat, 'PUT /client/update/notification-url', {
    notificationUrl: [{ url: receiver.url, permission: ['PIX_IN', 'PIX_OUT'] }],
    securityParaphrase: 'open sesame',
  });
});
afterAll(async () => stopping.disposeAsync());

async function succeed(connector: ReturnType<DescribedClient['as']>, call: string, sent?: object): Promise<Json> {
  const { status, body } = await connector(call, sent);
  expect(status).toBe(200);
  return body.data;
}

const confirmationOf = (paymentId: string): Promise<Json> =>
  eventually(() => {
    const [confirmation, ...more] = receiver.received.filter(({ body }) => body.paymentId === paymentId);
    expect(confirmation).toBeDefined();
    expect(more).toEqual([]);
    return confirmation?.body;
  });

describe('a deposit', () => {
  test('made by the connector is the same through /v1, and its confirmation carries the ids of the answer', async () => {
    const generated = await succeed(connectors.compat, 'POST /payment/pix/generate-pix', {
      ...{ value: 19.9, expiration: 0, externalId: 'connector-1', payerDocument: '' },
    });
    const { body: seen } = await merchant.get(`/v1/deposits/${String(generated.paymentId)}`);
    expect(seen).toMatchObject({ external_id: 'connector-1', amount_cents: 1_990, status: 'PENDING' });
    expect(seen.pix.emv).toBe(generated.pix);
    expect(seen.expires_at - seen.created_at).toBe(86_400);
    expect((await merchant.post(`/v1/test/deposits/${String(seen.id)}/pay`)).status).toBe(200);
    const { paymentId, movId } = generated;
    expect(await confirmationOf(paymentId)).toMatchObject({
      ...{ status: 'CONFIRMED', type: 'PixIn', externalId: 'connector-1', paymentId, movId },
      ...{ amount: 19.9, value: '19.90', securityParaphrase: 'open sesame' },
    });
  });

  test('made through /v1 is the same to the connector, which is told of it too', async () => {
    const { body: created } = await merchant.post('/v1/deposits', { amount_cents: 5_029, external_id: 'native-1' });
    const repeat = { value: 1, externalId: 'native-1' };
    const seen = await succeed(connectors.alt, 'POST /payment/pix/generate-pix', repeat);
    expect(seen).toMatchObject({ paymentId: created.id, value: 50.29, pix: created.pix.emv });
    await merchant.post(`/v1/test/deposits/${String(created.id)}/pay`);
    expect(await confirmationOf(created.id)).toMatchObject({ amount: 50.29, movId: seen.movId, type: 'PixIn' });
  });
});

test('a payout by the connector, without key type and receiver, is paid, shown by /v1 and confirmed', async () => {
  const sent = await succeed(connectors.cli, 'POST /payment/pix/pix-key', {
    ...{ externalId: 'withdrawal-1', pixKey: 'maria@example.com', payment: { amount: '12.50' } },
  });
  expect(sent).toMatchObject({ externalId: 'withdrawal-1', value: 12.5, pixKey: 'maria@example.com' });
  const { body } = await merchant.get(`/v1/payouts/${String(sent.paymentId)}`);
  expect(body.payout).toMatchObject({ amount_cents: 1_250, pix_key_type: 'email' });
  const confirmation = await confirmationOf(sent.paymentId);
  expect(confirmation).toMatchObject({ status: 'CONFIRMED', type: 'PixOut', movId: sent.movId, value: '12.50' });
});

test('the addresses that its description names are the three of its prefixes, and each answers', async () => {
  const { servers } = (await (await fetch(`${stack.baseUrl}/compat/openapi.json`)).json()) as {
    readonly servers: readonly { readonly url: string; readonly variables?: object }[];
  };
  const addresses = servers.filter(({ variables }) => variables === undefined).map(({ url }) => url);
  expect(addresses).toEqual(['/cli', '/compat/cli', '/compat/alt/cli'].map((path) => `${stack.baseUrl}${path}`));
  const [{ test: keys }] = stack.dev.merchants as [Stack['dev']['merchants'][number]];
  for (const address of addresses) {
    const sent = { clientId: keys.public_key, password: keys.secret_key };
    const headers = { 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(sent) };
    expect((await fetch(`${address}/client/authenticate`, asked)).status, address).toBe(200);
  }
});

test('each success and each refusal of the connector is as its description says', async () => {
  const { alt, compat } = connectors;
  await succeed(compat, 'GET /client/balance');
  const charge = { value: 1.5, externalId: 'described-1', expiration: 0, payerName: 'Maria', payerEmail: 'nobody' };
  expect(await succeed(alt, 'POST /payment/pix/generate-pix', charge)).toMatchObject({ value: 1.5 });
  const payout = { externalId: 'described-2', pixKey: 'maria@example.com', payment: { amount: 99_999_999.99 } };
  const stranger = await DescribedClient.of(stack.baseUrl, '/compat/openapi.json', '/cli');
  const wrong = { clientId: 'pk_test_1', password: 'sk_test_1' };
  const refusals = [
    await compat('POST /payment/pix/generate-pix', { ...charge, value: 0 }),
    await compat('PUT /client/update/notification-url', { notificationUrl: [{ url: '', permission: [] }] }),
    await stranger.as({})('POST /client/authenticate', wrong),
    await stranger.as({})('GET /client/balance'),
    await compat('POST /payment/pix/generate-pix', charge, { 'content-type': 'text/plain' }),
    await compat('POST /payment/pix/pix-key', payout),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 401, 401, 415, 422]);
});

test('whoever has the password of the connector at the broker gets a payout under the settings of its account, or none', async () => {
  const held = await operate('/ops/accounts', { name: 'Held back', auto_approve_payouts: false });
  const keys = await operate(`/ops/accounts/${String(held.id)}/keys`, { environment: 'test' });
  const owner = new MerchantClient(stack.baseUrl, keys);
  const { body: deposit } = await owner.post('/v1/deposits', { amount_cents: 10_000, external_id: 'funds' });
  expect((await owner.post(`/v1/test/deposits/${String(deposit.id)}/pay`)).status).toBe(200);
  const free = { fixedCents: 0, bps: 0 };
  const account: Account = {
    id: held.id,
    name: held.name,
    document: null,
    autoApprovePayouts: true,
    retentionDays: 0,
    fees: { deposit: free, payout: free },
    rateLimit: { perSecond: 1, burst: 1 },
    payoutLimits: { perPayoutCents: null, perDayCents: null },
  };
  const wanted = {
    environment: 'test',
    account,
    apiVersion: '1.0',
    currency: 'BRL',
    amount: 5_000,
    key: 'ana@example.com',
    keyType: 'email',
    kind: 'PLAYER_PAYOUT',
    enforceOwnership: false,
    metadata: {},
    recipient: { name: 'Ana', document: '', email: null, phone: null },
  } as const;
  await using bus = await connectBus({ url: brokerOfConnector, name: 'compat', logger: silentLogger });
  const forged = callRpc(bus, createPayout, { ...wanted, externalId: newId('request') }, { timeoutMs: 2_000 });
  await expect(forged).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const named = { ...wanted, externalId: newId('request'), publicKey: keys.public_key as string };
  const { payout } = await callRpc(bus, createConnectorPayout, named);
  expect(payout).toMatchObject({ accountId: held.id, status: 'PENDING' });
  const { body: page } = await owner.get('/v1/payouts');
  expect(page.data.map(({ id, status }: Json) => ({ id, status }))).toEqual([{ id: payout.id, status: 'PENDING' }]);
});

async function operate(path: string, body: object): Promise<Json> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' };
  const answer = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Json;
}
