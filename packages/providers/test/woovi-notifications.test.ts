import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  wooviProvider,
  wooviPublicKey,
  type ConnectedProvider,
  type NotificationResult,
  type ProviderEvent,
} from '#src/index.ts';
import { answerJson, ScriptedServer } from './http/scripted-server.ts';

const vector = JSON.parse(readFileSync(new URL('vectors/woovi-signature.json', import.meta.url), 'utf8')) as {
  payload: string;
  signature: string;
  hmac_sha1: { body: string; documented: string; computed: string };
};
const now = new Date('2026-01-02T10:44:37.000Z');
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ownKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const secret = 'secret-of-our-webhook';

let server: ScriptedServer;
let publishedKeys: readonly string[] = [];
let published: ConnectedProvider;
let own: ConnectedProvider;
beforeAll(async () => {
  server = await ScriptedServer.start((_request, response) => {
    answerJson(response, 200, { public_keys: publishedKeys.map((key) => ({ key, is_current: true })) });
  });
  const shared = { id: 'woovi', baseUrl: server.url, appId: 'app', callTimeoutMs: 1_000, ownerCheck: false };
  const environment = { now: () => now };
  published = wooviProvider({ ...shared, publicKeys: [wooviPublicKey], webhookSecrets: [] }, environment);
  own = wooviProvider({ ...shared, publicKeys: [ownKey], webhookSecrets: ['another-secret', secret] }, environment);
});
afterAll(async () => {
  for (const each of [published, own, server]) await each[Symbol.asyncDispose]();
});

function notify(
  provider: ConnectedProvider,
  { body, headers }: { body: string | Buffer; headers: Record<string, string | string[]> },
  receivedAt = now,
): Promise<NotificationResult> {
  const source = { query: {}, pathSuffix: '', remoteIp: '189.51.60.9', receivedAt };
  return provider.verifyAndParseNotification({ rawBody: Buffer.from(body), headers, ...source });
}

const signatureBy = (key: typeof keys.privateKey, body: string) =>
  sign('sha256', Buffer.from(body), key).toString('base64');
const hmacOf = (body: string, with_ = secret) => createHmac('sha1', with_).update(body).digest('base64');
const signed = (body: string) => ({ body, headers: { 'x-webhook-signature': signatureBy(keys.privateKey, body) } });
const eventOf = async (content: object, receivedAt = now): Promise<ProviderEvent | undefined> => {
  const result = await notify(own, signed(JSON.stringify(content)), receivedAt);
  if (!result.ok) throw new Error(result.reason);
  return result.events[0];
};

describe("Woovi's signature", () => {
  const { payload, signature } = vector;

  test('the documented vector verifies with the published key, and proves the platform alone', async () => {
    const result = await notify(published, { body: payload, headers: { 'x-webhook-signature': signature } });
    expect(result).toMatchObject({ ok: true, grade: 'platform', events: [{ type: 'ignored' }] });
  });

  test('a body that only the platform signed is not ours, whosever webhook it was sent to', async () => {
    const body = JSON.stringify({ event: 'OPENPIX:CHARGE_COMPLETED' });
    expect(await notify(own, signed(body))).toMatchObject({ ok: true, grade: 'platform' });
    const foreign = { ...signed(body).headers, 'x-openpix-signature': hmacOf(body, 'secret-of-a-stranger') };
    expect(await notify(own, { body, headers: foreign })).toMatchObject({ ok: true, grade: 'platform' });
  });

  test('the secret of any of our webhooks makes it ours, over the bytes as they came', async () => {
    const body = '{ "event": "OPENPIX:CHARGE_COMPLETED" }';
    for (const each of [secret, 'another-secret']) {
      const headers = { ...signed(body).headers, 'x-openpix-signature': hmacOf(body, each) };
      expect(await notify(own, { body, headers })).toMatchObject({ ok: true, grade: 'ours' });
    }
    const headers = { 'x-openpix-signature': hmacOf(body) };
    expect(await notify(own, { body: `${body} `, headers })).toMatchObject({ ok: false });
  });

  test('its HMAC is of SHA-1 in base64, as the page computes it and not as it prints it', async () => {
    const { body, documented, computed } = vector.hmac_sha1;
    const config = { id: 'woovi', baseUrl: server.url, appId: 'app', callTimeoutMs: 1_000, ownerCheck: false };
    await using page = wooviProvider(
      { ...config, publicKeys: [ownKey], webhookSecrets: ['hmac-secret-key'] },
      { now: () => now },
    );
    expect(await notify(page, { body, headers: { 'x-openpix-signature': computed } })).toMatchObject({ grade: 'ours' });
    expect(await notify(page, { body, headers: { 'x-openpix-signature': documented } })).toMatchObject({ ok: false });
  });

  test('a key that is published after a rotation is fetched, and the old one goes on counting; a flood fetches once', async () => {
    const next = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const config = { id: 'woovi', baseUrl: server.url, appId: 'app', callTimeoutMs: 1_000, ownerCheck: false };
    await using rotated = wooviProvider({ ...config, publicKeys: [ownKey], webhookSecrets: [] }, { now: () => now });
    publishedKeys = [next.publicKey.export({ type: 'spki', format: 'pem' }).toString()];
    const before = server.requests.length;
    const body = JSON.stringify({ event: 'OPENPIX:CHARGE_CREATED' });
    const byNext = { body, headers: { 'x-webhook-signature': signatureBy(next.privateKey, body) } };
    expect(await notify(rotated, byNext)).toMatchObject({ ok: true, grade: 'platform' });
    expect(await notify(rotated, signed(body))).toMatchObject({ ok: true });
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = { body, headers: { 'x-webhook-signature': signatureBy(stranger.privateKey, body) } };
    const refusals = await Promise.all(Array.from({ length: 20 }, () => notify(rotated, forged)));
    expect(refusals.every(({ ok }) => !ok)).toBe(true);
    expect(server.requests.length - before).toBe(1);
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
    publishedKeys = [];
  });

  test.each([
    ['another byte', { body: payload.replace('1000', '1001'), headers: { 'x-webhook-signature': signature } }],
    [
      'the body encoded anew',
      { body: JSON.stringify(JSON.parse(payload)), headers: { 'x-webhook-signature': signature } },
    ],
    ['a truncated body', { body: payload.slice(0, -1), headers: { 'x-webhook-signature': signature } }],
    ['a truncated signature', { body: payload, headers: { 'x-webhook-signature': signature.slice(0, 100) } }],
    ['no signature', { body: payload, headers: {} }],
    ['two signatures', { body: payload, headers: { 'x-webhook-signature': [signature, signature] } }],
    ['no base64', { body: payload, headers: { 'x-webhook-signature': 'äöü' } }],
    ['an endless signature', { body: payload, headers: { 'x-webhook-signature': 'A'.repeat(100_000) } }],
  ])('%s does not', async (_name, notification) => {
    expect(await notify(published, notification)).toMatchObject({ ok: false });
  });

  test("another signer's does not, however right it is otherwise", async () => {
    expect(await notify(published, signed(payload))).toMatchObject({ ok: false });
  });

  test('what is signed and not JSON is refused', async () => {
    expect(await notify(own, signed('[1,'))).toMatchObject({ ok: false });
    expect(await notify(own, signed('"text"'))).toMatchObject({ ok: false });
  });
});

describe("Woovi's events", () => {
  const time = '2023-03-16T12:42:47.526Z';
  const charge = { correlationID: 'ref1', status: 'COMPLETED', value: 1000 };
  const pix = {
    value: 1000,
    time,
    endToEndId: 'E23114447202303161242u80lZNR7nQZ',
    payer: { name: 'Loma', taxID: { taxID: '47043622050', type: 'BR:CPF' } },
  };

  test('a payment, the same whichever event tells it', async () => {
    const events = await Promise.all(
      [
        'OPENPIX:CHARGE_COMPLETED',
        'OPENPIX:TRANSACTION_RECEIVED',
        'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER',
      ].map((event) => eventOf({ event, charge, pix })),
    );
    expect(events[0]).toMatchObject({
      ...{ type: 'charge.paid', ref: 'ref1', e2eId: pix.endToEndId, money: { currency: 'BRL', amount: 1000 } },
      ...{ at: new Date(time), payer: { name: 'Loma', document: '47043622050' } },
    });
    expect(new Set(events.map((event) => event?.dedupeKey)).size).toBe(1);
  });

  test('the amount is what arrived, also as digits; never a fraction', async () => {
    expect(await eventOf({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: { ...pix, value: '999' } })).toMatchObject({
      money: { amount: 999 },
    });
    expect(await eventOf({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: { ...pix, value: 9.99 } })).toMatchObject({
      type: 'unreadable',
    });
  });

  test('a payment without its id moves nothing: the lookup will find it', async () => {
    const { endToEndId: _id, ...without } = pix;
    expect(await eventOf({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: without })).toMatchObject({
      type: 'unreadable',
    });
    const inRaw = { ...without, raw: { endToEndId: 'E1' } };
    expect(await eventOf({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: inRaw })).toMatchObject({ e2eId: 'E1' });
  });

  test('a payment on no charge belongs to nobody here', async () => {
    expect(await eventOf({ event: 'OPENPIX:TRANSACTION_RECEIVED', charge: null, pix })).toMatchObject({
      type: 'ignored',
    });
  });

  test('a payout ends', async () => {
    const payment = { value: 30, status: 'CONFIRMED', destinationAlias: '06882328684', correlationID: 'ref2' };
    const transaction = { value: 30, endToEndId: 'E23114447202303161242u80lZNR7nQZ', time };
    expect(await eventOf({ event: 'OPENPIX:MOVEMENT_CONFIRMED', payment, transaction })).toMatchObject({
      ...{ type: 'payout.paid', ref: 'ref2', e2eId: transaction.endToEndId, at: new Date(time) },
    });
    const failed = { ...payment, status: 'FAILED' };
    expect(await eventOf({ event: 'OPENPIX:MOVEMENT_FAILED', payment: failed, transaction })).toMatchObject({
      ...{ type: 'payout.failed', ref: 'ref2', code: 'unspecified' },
    });
    const error = { code: 'REACH_TRANSFER_LIMIT', description: 'limit' };
    expect(await eventOf({ event: 'OPENPIX:MOVEMENT_FAILED', payment: failed, error })).toMatchObject({
      ...{ type: 'payout.failed', code: 'amount_limit', message: 'limit' },
    });
    const rejected = { ...transaction, providerErrorCode: 'BE17', providerRejectedReason: 'invalid creditor' };
    expect(await eventOf({ event: 'OPENPIX:MOVEMENT_FAILED', payment: failed, transaction: rejected })).toMatchObject({
      ...{ type: 'payout.failed', code: 'invalid_request', message: 'invalid creditor' },
    });
    expect(await eventOf({ event: 'OPENPIX:MOVEMENT_REMOVED', payment: { correlationID: 'ref2' } })).toMatchObject({
      ...{ type: 'payout.failed', ref: 'ref2' },
    });
  });

  test('one with its own time and one without: the latter takes the time it was received, never that of handling', async () => {
    const removed = { event: 'OPENPIX:MOVEMENT_REMOVED', payment: { correlationID: 'ref2' } };
    const dispute = { event: 'woovi:DISPUTE_ACCEPTED', dispute: { status: 'ACCEPTED', endToEndId: 'E1' } };
    const receivedAt = new Date('2026-01-02T03:04:05.678Z');
    for (const content of [removed, dispute]) {
      const first = await eventOf(content, receivedAt);
      expect(first?.at).toEqual(receivedAt);
      expect(await eventOf(content, receivedAt)).toEqual(first);
    }
  });

  test('a test of the address is a probe, unknown kinds are ignored, misfits are set aside with their shape', async () => {
    const probe = { data_criacao: time, evento: 'teste_webhook', event: 'OPENPIX:CHARGE_COMPLETED' };
    expect(await eventOf(probe)).toMatchObject({ type: 'probe' });
    expect(await eventOf({ event: 'PIX_AUTOMATIC_APPROVED', name: 'Maria' })).toMatchObject({ type: 'ignored' });
    const misfit = await eventOf({ event: 'OPENPIX:CHARGE_EXPIRED', charge: { correlationID: 12 } });
    expect(misfit).toMatchObject({
      type: 'unreadable',
      reason: expect.stringContaining('{correlationID: number}') as string,
    });
  });
});
