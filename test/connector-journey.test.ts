import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { MerchantClient, type Json } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

let merchant: MerchantClient;
let receiver: WebhookReceiver;
let connector: (method: string, path: string, body?: unknown) => Promise<Json>;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  const stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
  const credentials = { clientId: demo.test.public_key, password: demo.test.secret_key };
  const { body } = await merchant.post('/cli/client/authenticate', credentials);
  connector = async (method, path, sent) => {
    const response = await fetch(`${stack.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${String(body.data.token)}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
      signal: AbortSignal.timeout(20_000),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as Json).data;
  };
  await connector('PUT', '/compat/cli/client/update/notification-url', {
    notificationUrl: [{ url: receiver.url, permission: ['PIX_IN', 'PIX_OUT'] }],
    securityParaphrase: 'open sesame',
  });
});
afterAll(async () => stopping.disposeAsync());

const confirmationOf = (paymentId: string): Promise<Json> =>
  eventually(() => {
    const [confirmation, ...more] = receiver.received.filter(({ body }) => body.paymentId === paymentId);
    expect(confirmation).toBeDefined();
    expect(more).toEqual([]);
    return confirmation?.body;
  });

describe('a deposit', () => {
  test('made by the connector is the same through /v1, and its confirmation carries the ids of the answer', async () => {
    const generated = await connector('POST', '/compat/cli/payment/pix/generate-pix', {
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
    const seen = await connector('POST', '/compat/alt/cli/payment/pix/generate-pix', repeat);
    expect(seen).toMatchObject({ paymentId: created.id, value: 50.29, pix: created.pix.emv });
    await merchant.post(`/v1/test/deposits/${String(created.id)}/pay`);
    expect(await confirmationOf(created.id)).toMatchObject({ amount: 50.29, movId: seen.movId, type: 'PixIn' });
  });
});

test('a payout by the connector, without key type and receiver, is paid, shown by /v1 and confirmed', async () => {
  const sent = await connector('POST', '/cli/payment/pix/pix-key', {
    ...{ externalId: 'withdrawal-1', pixKey: 'maria@example.com', payment: { amount: '12.50' } },
  });
  expect(sent).toMatchObject({ externalId: 'withdrawal-1', value: 12.5, pixKey: 'maria@example.com' });
  const { body } = await merchant.get(`/v1/payouts/${String(sent.paymentId)}`);
  expect(body.payout).toMatchObject({ amount_cents: 1_250, pix_key_type: 'email' });
  const confirmation = await confirmationOf(sent.paymentId);
  expect(confirmation).toMatchObject({ status: 'CONFIRMED', type: 'PixOut', movId: sent.movId, value: '12.50' });
});
