import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const secret = 'a-secret-of-the-registered-address';
const woovi = generateKeyPairSync('rsa', { modulusLength: 2048 });
const baseUrl = 'http://127.0.0.1:1';
const pixApi = {
  ...{ baseUrl, tokenUrl: `${baseUrl}/oauth/token`, clientId: 'client', clientSecret: 'secret' },
  ...{ receivingKey: 'recebe@loja.example', notifications: { secret } },
};
const configs = [
  { kind: 'bacen', id: 'bacen', ...pixApi },
  { kind: 'efi', id: 'efi', payingKey: 'paga@loja.example', ...pixApi },
  {
    ...{ kind: 'fintoc', id: 'spei', baseUrl, secretKey: 'sk_test_key', accountId: 'acc_1', webhookSecrets: [secret] },
    jwsPrivateKey: woovi.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  },
  {
    ...{ kind: 'woovi', id: 'woovi', baseUrl, appId: 'app' },
    publicKeys: [woovi.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  },
];

interface Notification {
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

const received = JSON.stringify({
  pix: [{ endToEndId: 'E12345678202601021004abcdef12345', valor: '19.90', horario: '2026-01-02T10:04:37.250Z' }],
});
const withSecret = (body = received): Notification => ({ query: `?hmac=${secret}`, body });

/** Each provider's notification as it sends it, over a body of the test's choice. */
const genuine: Readonly<Record<string, (body?: string) => Notification>> = {
  bacen: withSecret,
  efi: withSecret,
  spei: (body = '{"id":"evt_1","type":"link.created","created_at":"2026-01-02T10:04:37.250Z","data":{}}') => ({
    headers: { 'fintoc-signature': `t=1,v1=${createHmac('sha256', secret).update(`1.${body}`).digest('hex')}` },
    body,
  }),
  woovi: (body = '{"data_criacao":"2026-01-02T10:04:37.250Z","evento":"teste_webhook"}') => ({
    headers: { 'x-webhook-signature': sign('sha256', Buffer.from(body), woovi.privateKey).toString('base64') },
    body,
  }),
};

const stack = new AsyncDisposableStack();
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = stack.use(await startGateway([], { PROVIDERS: JSON.stringify(configs) }));
});
afterAll(async () => stack.disposeAsync());

async function notify(provider: string, { query = '', headers = {}, body }: Notification): Promise<number> {
  const parts = { body, headers: { 'content-type': 'application/json', ...headers } };
  return (await gateway.call('POST', `/providers/${provider}/notifications${query}`, parts)).status;
}

async function counted(provider: string, outcome: string): Promise<number> {
  const line = `gateway_provider_notifications_total{provider="${provider}",outcome="${outcome}"} `;
  const found = (await metricsText()).text.split('\n').find((each) => each.startsWith(line));
  return Number(found?.slice(line.length) ?? 0);
}

/** Notifications are kept before they are answered. */
async function kept(): Promise<number> {
  return (await gateway.database.query('select from notification')).length;
}

/** How a call is answered and counted, and whether anything of it was stored. */
async function receivedAs(provider: string, notification: Notification, outcome: string) {
  const [countedBefore, keptBefore] = [await counted(provider, outcome), await kept()];
  const status = await notify(provider, notification);
  return { status, counted: (await counted(provider, outcome)) - countedBefore, stored: (await kept()) - keptBefore };
}

const refused = { status: 401, counted: 1, stored: 0 };
const tooLarge = { status: 413, counted: 1, stored: 0 };

describe.each(Object.keys(genuine))('a notification of %s', (provider) => {
  const right = genuine[provider]!;

  test('cut short is refused, counted, and without effect', async () => {
    const { body, ...proof } = right();
    expect(await receivedAs(provider, { ...proof, body: body.slice(0, -7) }, 'refused')).toEqual(refused);
    expect(await receivedAs(provider, { ...proof, body: '' }, 'refused')).toEqual(refused);
  });

  test('that proves itself and is no JSON is refused, counted, and without effect', async () => {
    expect(await receivedAs(provider, right('{"pix":['), 'refused')).toEqual(refused);
  });

  test('without its proof, or with that of another provider, is refused, counted, and without effect', async () => {
    expect(await receivedAs(provider, { body: right().body }, 'refused')).toEqual(refused);
    const another = provider === 'woovi' || provider === 'spei' ? withSecret() : genuine['woovi']!();
    expect(await receivedAs(provider, another, 'refused')).toEqual(refused);
  });

  test('that is too large is 413 however right it is, counted, and without effect', async () => {
    const long = JSON.stringify({ pix: [], filler: 'x'.repeat(70_000) });
    expect(await receivedAs(provider, right(long), 'too_large')).toEqual(tooLarge);
  });

  test('sent again as it was is answered 200 like any repetition of the provider, and counted', async () => {
    const [before, keptBefore] = [await counted(provider, 'stored'), await kept()];
    const notification = right();
    expect([await notify(provider, notification), await notify(provider, notification)]).toEqual([200, 200]);
    expect(await counted(provider, 'stored')).toBe(before + 2);
    expect(await kept()).toBe(keptBefore + 2);
  });
});

test.each(['spei', 'woovi'])('a signature of %s says nothing of another body', async (provider) => {
  const { headers } = genuine[provider]!();
  expect(await receivedAs(provider, { headers, body: '{"id":"evt_2"}' }, 'refused')).toEqual(refused);
});

test('a notification nobody is configured for is counted without its name', async () => {
  const before = await counted('unknown', 'unknown_provider');
  expect(await notify('whoever-comes-by', { body: received })).toBe(404);
  expect(await counted('unknown', 'unknown_provider')).toBe(before + 1);
});
