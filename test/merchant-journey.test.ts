import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { MerchantClient } from './support/merchant-client.ts';
import { leaksIn, loggingServices } from './support/stack-logs.ts';
import { startOtlpCollector, type OtlpCollector } from './support/otlp-collector.ts';
import { signatureHolds, startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

let stack: Stack;
let merchant: MerchantClient;
let receiver: WebhookReceiver;
let collector: OtlpCollector;
let secret: string;
let homePath: string;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  homePath = home.path;
  collector = stopping.use(await startOtlpCollector());
  receiver = stopping.use(await startWebhookReceiver());
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true, env }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
  const registered = await merchant.post('/v1/webhooks', { name: 'shop', url: receiver.url });
  expect(registered.status).toBe(201);
  secret = registered.body.secret;
});
afterAll(async () => stopping.disposeAsync());

const payout = (externalId: string, amountCents: number, more: object = {}) => ({
  amount_cents: amountCents,
  external_id: externalId,
  pix_key: 'maria@example.com',
  pix_key_type: 'email',
  recipient: { name: 'Maria da Silva', document: '529.982.247-25' },
  ...more,
});

const paidDeposit = async (externalId: string, amountCents: number): Promise<string> => {
  const created = await merchant.post('/v1/deposits', { amount_cents: amountCents, external_id: externalId });
  const paid = await merchant.post(`/v1/test/deposits/${created.body.id}/pay`);
  expect(paid.status).toBe(200);
  return created.body.id;
};

const available = async (): Promise<number> => (await merchant.get('/v1/balance')).body.brl.available_cents;

describe('a merchant', () => {
  test('creates a deposit, has it paid, and finds the money, the entry and one signed webhook', async () => {
    const before = await available();
    const body = { amount_cents: 10_050, external_id: 'order-1', metadata: { cart: '7' } };
    const created = await merchant.post('/v1/deposits', body);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      object: 'deposit',
      status: 'PENDING',
      amount_cents: 10_050,
      fee_cents: 0,
      net_cents: 10_050,
      environment: 'test',
      metadata: { cart: '7' },
    });
    expect(created.body.pix.emv).toContain('br.gov.bcb.pix');
    const { id } = created.body;

    const paid = await merchant.post(`/v1/test/deposits/${id}/pay`);
    expect(paid.status).toBe(200);
    expect(paid.body).toMatchObject({ id, status: 'PAID' });
    expect(paid.body.e2e_id).toMatch(/^E99999999\d{12}[0-9A-Za-z]{11}$/);
    const found = async (query: string) => (await merchant.get(`/v1/deposits?${query}`)).body.data;
    expect(await found(`e2e_id=${paid.body.e2e_id}&min_amount=10050&max_amount=10050`)).toMatchObject([
      { id: created.body.id },
    ]);
    expect(await found(`e2e_id=${paid.body.e2e_id}&min_amount=10051`)).toEqual([]);

    // Who sees PAID finds the balance: no waiting here.
    expect(await available()).toBe(before + 10_050);
    const entries = await merchant.get(`/v1/transactions?ref_id=${id}`);
    expect(entries.body.data).toMatchObject([
      { type: 'DEPOSIT_NET', amount_cents: 10_050, ref_type: 'deposit', ref_id: id },
    ]);

    const [webhook] = await eventually(() => {
      expect(receiver.of('deposit.paid', id)).toHaveLength(1);
      return receiver.of('deposit.paid', id);
    });
    if (!webhook) throw new Error('no webhook');
    expect(signatureHolds(webhook, secret)).toBe(true);
    expect(signatureHolds(webhook, `${secret}x`)).toBe(false);
    expect(webhook.body).toMatchObject({ event: 'deposit.paid', environment: 'test', data: paid.body });
  });

  test('repeats creation and payment without a second deposit or a second credit', async () => {
    const id = await paidDeposit('order-2', 700);
    const before = await available();
    const again = await merchant.post('/v1/deposits', { amount_cents: 9_999, external_id: 'order-2' });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ id, amount_cents: 700, status: 'PAID' });
    const paidAgain = await merchant.post(`/v1/test/deposits/${id}/pay`);
    expect(paidAgain.status).toBe(200);
    expect(await available()).toBe(before);
  });

  test('sends a payout that settles, and hears of each step', async () => {
    await paidDeposit('order-3', 5_000);
    const before = await available();
    const created = await merchant.post('/v1/payouts', payout('payout-1', 1_234));
    expect(created.status).toBe(201);
    const { id, status } = created.body.payout;
    expect(['PROCESSING', 'PAID']).toContain(status);
    expect(await available()).toBe(before - 1_234);
    const settled = await eventually(async () => {
      const answer = await merchant.get(`/v1/payouts/${id}`);
      expect(answer.body.payout.status).toBe('PAID');
      return answer.body.payout;
    });
    expect(settled.e2e_id).toMatch(/^E/);
    const found = async (query: string) =>
      (await merchant.get(`/v1/payouts?${query}`)).body.data.map((each: { id: string }) => each.id);
    const to = 'recipient_document=529.982.247-25';
    expect(await found(`e2e_id=${settled.e2e_id}&min_amount=1234&max_amount=1234&${to}`)).toEqual([id]);
    expect(await found(`e2e_id=${settled.e2e_id}&min_amount=1235`)).toEqual([]);
    await eventually(() => {
      expect(receiver.of('payout.processing', id)).toHaveLength(1);
      expect(receiver.of('payout.paid', id)).toHaveLength(1);
    });
    expect(receiver.of('payout.paid', id)[0]?.body.data).toEqual(settled);
    const entries = await merchant.get(`/v1/transactions?ref_id=${id}`);
    expect(entries.body.data).toMatchObject([{ type: 'PAYOUT', amount_cents: -1_234 }]);
  });

  test('cannot pay out more than there is; nothing remains and the reference stays free', async () => {
    const before = await available();
    const refused = await merchant.post('/v1/payouts', payout('payout-2', before + 1));
    expect(refused.status).toBe(422);
    expect(refused.body.error.code).toBe('INSUFFICIENT_FUNDS');
    expect((await merchant.get('/v1/payouts?external_id=payout-2')).body.data).toEqual([]);
    await paidDeposit('order-4', 1);
    const second = await merchant.post('/v1/payouts', payout('payout-2', before + 1));
    expect(second.status).toBe(201);
    expect(await available()).toBe(0);
  });

  test('racing for the last money sends one of two payouts, and one for one reference', async () => {
    await paidDeposit('order-5', 1_000);
    const racing = await Promise.all(
      ['race-a', 'race-b'].map((ref) => merchant.post('/v1/payouts', payout(ref, 1_000))),
    );
    expect(racing.map((answer) => answer.status).sort()).toEqual([201, 422]);
    await paidDeposit('order-6', 2_000);
    const same = await Promise.all([1, 2, 3].map(() => merchant.post('/v1/payouts', payout('race-c', 500))));
    expect(same.map((answer) => answer.status).sort()).toEqual([200, 200, 201]);
    expect(new Set(same.map((answer) => answer.body.payout.id)).size).toBe(1);
    expect(await available()).toBe(1_500);
  });

  test('of another account or environment finds none of it', async () => {
    const id = await paidDeposit('order-7', 100);
    const [demo] = stack.dev.merchants;
    const live = new MerchantClient(stack.baseUrl, demo?.live ?? { public_key: '', secret_key: '' });
    expect((await live.get(`/v1/deposits/${id}`)).status).toBe(404);
    expect((await live.get('/v1/balance')).body.brl.total_cents).toBe(0);
    expect((await live.post(`/v1/test/deposits/${id}/pay`)).body.error.code).toBe('TEST_ONLY');
  });

  test('sees the same money through the connector facade', async () => {
    const [demo] = stack.dev.merchants;
    const anybody = new MerchantClient(stack.baseUrl, { public_key: 'x', secret_key: 'x' });
    const session = await anybody.post('/compat/cli/client/authenticate', {
      clientId: demo?.test.public_key,
      password: demo?.test.secret_key,
    });
    expect(session.status).toBe(200);
    expect(session.body).toMatchObject({ success: true, data: { clientId: demo?.test.public_key } });
    const response = await fetch(`${stack.baseUrl}/compat/cli/client/balance`, {
      headers: { authorization: `Bearer ${session.body.data.token}` },
    });
    const cents = await available();
    expect(await response.json()).toMatchObject({ success: true, data: { availableBalance: cents / 100 } });
  });
});

describe('an operator', () => {
  test('sees each call for a deposit as one trace from the HTTP call to the webhook, linked to the caller’s own', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const [demo] = stack.dev.merchants;
    const traced = (path: string, body?: object) =>
      fetch(`${stack.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'x-api-key': demo?.test.public_key ?? '',
          'x-api-secret': demo?.test.secret_key ?? '',
          'content-type': 'application/json',
          traceparent: `00-${traceId}-b7ad6b7169203331-01`,
        },
        body: body ? JSON.stringify(body) : null,
      });
    const created = (await (await traced('/v1/deposits', { amount_cents: 100, external_id: 'traced' })).json()) as {
      id: string;
    };
    await traced(`/v1/test/deposits/${created.id}/pay`);
    await eventually(() => {
      const begun = collector.spans.filter(({ links }) => links.includes(traceId));
      expect(begun).toHaveLength(2);
      const spans = collector.spans.filter((span) => begun.some((root) => root.traceId === span.traceId));
      expect(new Set(spans.map((span) => span.service))).toEqual(
        new Set(['api-gateway', 'deposits', 'ledger', 'webhooks']),
      );
      const known = new Set(spans.map((span) => span.spanId));
      const orphans = spans.filter((span) => !known.has(span.parentSpanId ?? 'none'));
      expect(orphans).toEqual(begun);
      expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    });
  });

  test('finds every service healthy at the public door', async () => {
    const health = await fetch(`${stack.baseUrl}/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'ok' });
  });
});

describe('whoever reads the logs', () => {
  const person = { name: 'Zulmira Quaresma', email: 'zulmira@quaresma.example', phone: '+5511976543210' };
  const payer = { ...person, document: '39053344705' };
  const paraphrase = 'the-quick-brown-fox-whispers';

  test('finds no secret, document, key or address of anybody in any line of any process', async () => {
    const [demo] = stack.dev.merchants;
    if (!demo) throw new Error('the stack made no demo merchant');
    const live = new MerchantClient(stack.baseUrl, demo.live);
    for (const [client, name] of [
      [merchant, 'test'],
      [live, 'live'],
    ] as const) {
      const deposit = await client.post('/v1/deposits', { amount_cents: 500, external_id: `logged-${name}`, payer });
      expect(deposit.status).toBe(201);
      await client.post('/v1/deposits', { amount_cents: 500, external_id: 7, payer: { document: '39053344700' } });
      await client.post('/v1/payouts', payout('logged', 100, { pix_key: payer.email, recipient: payer }));
      await client.post('/v1/payouts', payout('logged-bad', 100, { pix_key: '39053344700', pix_key_type: 'cpf' }));
    }
    await new MerchantClient(stack.baseUrl, { ...demo.test, secret_key: 'sk_test_mistyped' }).get('/v1/balance');
    const credentials = { clientId: demo.test.public_key, password: demo.test.secret_key };
    const { token } = (await merchant.post('/compat/cli/client/authenticate', credentials)).body.data;
    await fetch(`${stack.baseUrl}/compat/cli/client/update/notification-url`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        notificationUrl: [{ url: receiver.url, permission: ['PIX_OUT'] }],
        securityParaphrase: paraphrase,
      }),
    });
    const callbackSecret = (await merchant.post('/v1/account/callback-secret')).body.secret;
    const databasePasswords = Object.values(stack.databaseUrls).map((url) => new URL(url).password);
    const texts = {
      ...{
        'test secret': demo.test.secret_key,
        'live secret': demo.live.secret_key,
        'mistyped secret': 'sk_test_mist',
      },
      ...{ 'webhook secret': secret, 'callback secret': callbackSecret, 'access token': token, paraphrase },
      ...{ document: payer.document, 'mistyped document': '39053344700', 'document of a payout': '52998224725' },
      ...{ email: payer.email, phone: payer.phone.slice(3), 'payer name': payer.name, 'PIX key': 'maria@example.com' },
      ...{ 'broker password': new URL(stack.natsUrl).password },
      ...Object.fromEntries(databasePasswords.map((password, index) => [`database password ${index}`, password])),
      ...Object.fromEntries(stack.dev.ops_tokens.map((opsToken, index) => [`operator token ${index}`, opsToken])),
    };
    for (const [name, text] of Object.entries(texts)) expect(String(text).length, name).toBeGreaterThanOrEqual(8);
    expect(loggingServices(homePath)).toEqual(
      expect.arrayContaining([
        'api-gateway',
        'compat',
        'deposits',
        'ledger',
        'payouts',
        'webhooks',
        'postgres',
        'nats',
      ]),
    );
    expect(leaksIn(homePath, texts)).toEqual([]);
    expect(leaksIn(homePath, { 'public key': 'api-gateway' })).not.toEqual([]);
  });
});

test('no service has asked the broker for what it may not', () => {
  expect(leaksIn(homePath, { 'refused by the broker': 'Violation' })).toEqual([]);
});

test('a ledger of live providers warns at its start that its address is a local one', () => {
  expect(leaksIn(homePath, { warning: 'PUBLIC_URL is local' })[0]).toMatch(/^ledger.log/);
});

test('every door answers every path with the headers that keep browsers from harm', async () => {
  const paths = [
    '/health',
    '/v1/balance',
    '/v1/no-such-route',
    '/docs/',
    '/openapi.json',
    '/providers/no/notifications',
  ];
  const connector = ['/compat/cli/client/balance', '/cli/client/balance', '/compat/alt/cli/none'];
  const addresses = [...paths, ...connector].map((path) => `${stack.baseUrl}${path}`);
  for (const url of [
    ...addresses,
    ...['/ops/accounts', '/ops/none', '/docs/'].map((path) => `${stack.opsUrl}${path}`),
  ]) {
    const { headers } = await fetch(url);
    expect(Object.fromEntries(headers), url).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/) as string,
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers.get('x-powered-by'), url).toBeNull();
    expect(headers.get('server'), url).toBeNull();
  }
});
