import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { connectBus } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import { MerchantClient, type Json } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const stopping = new AsyncDisposableStack();
/** Everything that has crossed the bus: subject, headers and payload of each message. */
const overheard: { readonly subject: string; readonly text: string }[] = [];
let stack: Stack;
let merchant: MerchantClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const administrator = stopping.use(await connectBus({ url: stack.natsUrl, name: 'test', logger: silentLogger }));
  administrator.connection.subscribe('>', {
    callback: (_error, message) => {
      const headers = [...(message.headers ?? [])].map(([name, values]) => `${name}: ${values.join(',')}`);
      overheard.push({ subject: message.subject, text: [...headers, message.string()].join('\n') });
    },
  });
  await administrator.ping();
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
});
afterAll(async () => stopping.disposeAsync());

test('who hears everything on the bus learns no secret of a merchant', async () => {
  const [{ test: keys, account_id: accountId }] = stack.dev.merchants as [Json];
  const issued = await operate(`/ops/accounts/${String(accountId)}/keys`, { environment: 'test' });
  const headers = { 'X-Shop-Token': 'header-value-of-the-shop' };
  const made = await merchant.post('/v1/webhooks', { name: 'shop', url: receiver.url, events: [], headers });
  expect(made.status).toBe(201);
  const changed = { headers: { 'X-Shop-Token': 'other-header-value-of-the-shop' } };
  expect((await merchant.call('PATCH', `/v1/webhooks/${String(made.body.id)}`, changed)).status).toBe(200);
  const rotated = await merchant.post(`/v1/webhooks/${String(made.body.id)}/rotate-secret`, { overlap_sec: 60 });
  const callback = await merchant.post('/v1/account/callback-secret');
  const credentials = { clientId: issued.public_key, password: issued.secret_key };
  const { token } = (await merchant.post('/compat/cli/client/authenticate', credentials)).body.data;
  const paraphrase = 'the paraphrase of the connector';
  const wrong = await merchant.post('/compat/cli/client/authenticate', { ...credentials, password: 'sk_test_guessed' });
  expect(wrong.status).toBe(401);
  await register(token, paraphrase);
  await payDeposit();

  const secrets: Readonly<Record<string, string>> = {
    ...{ 'secret of the merchant': keys.secret_key, 'secret of the issued key': issued.secret_key },
    ...{ 'webhook secret': made.body.secret, 'rotated secret': rotated.body.secret, guess: 'sk_test_guessed' },
    ...{ 'callback secret': callback.body.secret, token, paraphrase },
    ...{ header: headers['X-Shop-Token'], 'changed header': changed.headers['X-Shop-Token'] },
    ...Object.fromEntries(stack.dev.ops_tokens.map((each, index) => [`operator token ${index}`, each])),
  };
  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(12);
  const found = overheard.flatMap(({ subject, text }) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`${name} on ${subject}`] : [])),
  );
  expect(found).toEqual([]);
  // It was there to be heard.
  expect(overheard.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      ...['rpc.api-gateway.authenticate-key.v2', 'rpc.webhooks.register-webhook.v2'],
      ...['rpc.webhooks.update-webhook.v2', 'rpc.webhooks.rotate-webhook-secret.v2'],
      ...['rpc.webhooks.rotate-callback-secret.v2', 'rpc.webhooks.replace-connector-endpoints.v2'],
      ...['event.deposits.deposit.paid.v1', 'command.ledger.test.0.credit-deposit.v1'],
    ]),
  );
});

async function operate(path: string, body: object): Promise<Json> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' };
  return await (await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

async function register(token: string, securityParaphrase: string): Promise<void> {
  const notificationUrl = [{ url: receiver.url, permission: ['PIX_IN'] }];
  const answer = await fetch(`${stack.baseUrl}/compat/cli/client/update/notification-url`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ notificationUrl, securityParaphrase }),
  });
  expect(answer.status).toBe(200);
}

/** Until the receiver has heard of it in both formats. */
async function payDeposit(): Promise<void> {
  const request = { amount_cents: 1_000, external_id: 'overheard' };
  const { body } = await merchant.post('/v1/deposits', { ...request, callback_url: receiver.url });
  expect((await merchant.post(`/v1/test/deposits/${String(body.id)}/pay`)).status).toBe(200);
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(3));
}
