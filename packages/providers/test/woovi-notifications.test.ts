import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { wooviProvider, wooviPublicKey, type NotificationVerdict, type ProviderEvent } from '#src/index.ts';

const vector = JSON.parse(readFileSync(new URL('vectors/woovi-signature.json', import.meta.url), 'utf8')) as {
  payload: string;
  signature: string;
  hmac_sha1: { body: string; documented: string; computed: string };
};
const now = new Date('2026-01-02T10:44:37.000Z');
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ownKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const providers = [wooviPublicKey, ownKey].map((publicKey) =>
  wooviProvider(
    { id: 'woovi', baseUrl: new URL('https://api.woovi.com'), appId: 'app', callTimeoutMs: 1_000, publicKey },
    { now: () => now },
  ),
);
const [published, own] = providers;
afterAll(async () => {
  for (const provider of providers) await provider[Symbol.asyncDispose]();
});

function notify(
  provider: typeof own,
  { body, headers }: { body: string | Buffer; headers: Record<string, string | string[]> },
): Promise<NotificationVerdict> {
  if (!provider) throw new Error('no provider');
  const source = { query: {}, pathSuffix: '', remoteIp: '189.51.60.9', receivedAt: now };
  return provider.verifyAndParseNotification({ rawBody: Buffer.from(body), headers, ...source });
}

const signed = (body: string) => ({
  body,
  headers: { 'x-webhook-signature': sign('sha256', Buffer.from(body), keys.privateKey).toString('base64') },
});
const told = async (content: object): Promise<ProviderEvent | undefined> => {
  const verdict = await notify(own, signed(JSON.stringify(content)));
  if (!verdict.ok) throw new Error(verdict.reason);
  expect(verdict.grade).toBe('ours');
  return verdict.events[0];
};

describe("Woovi's signature", () => {
  const { payload, signature } = vector;

  test('the documented vector verifies with the published key', async () => {
    const verdict = await notify(published, { body: payload, headers: { 'x-webhook-signature': signature } });
    expect(verdict).toMatchObject({ ok: true, grade: 'ours', events: [{ type: 'ignored' }] });
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

  test('the HMAC header proves nothing, neither as documented nor as computed', async () => {
    const { body, documented, computed } = vector.hmac_sha1;
    for (const value of [documented, computed]) {
      expect(await notify(published, { body, headers: { 'x-openpix-signature': value } })).toMatchObject({ ok: false });
    }
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
      ].map((event) => told({ event, charge, pix })),
    );
    expect(events[0]).toMatchObject({
      ...{ type: 'charge.paid', ref: 'ref1', e2eId: pix.endToEndId, money: { currency: 'BRL', amount: 1000 } },
      ...{ at: new Date(time), payer: { name: 'Loma', document: '47043622050' } },
    });
    expect(new Set(events.map((event) => event?.dedupeKey)).size).toBe(1);
  });

  test('the amount is what arrived, also as digits; never a fraction', async () => {
    expect(await told({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: { ...pix, value: '999' } })).toMatchObject({
      money: { amount: 999 },
    });
    expect(await told({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: { ...pix, value: 9.99 } })).toMatchObject({
      type: 'ignored',
    });
  });

  test('a payment without its id moves nothing: the lookup will find it', async () => {
    const { endToEndId: _id, ...without } = pix;
    expect(await told({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: without })).toMatchObject({ type: 'ignored' });
    const inRaw = { ...without, raw: { endToEndId: 'E1' } };
    expect(await told({ event: 'OPENPIX:CHARGE_COMPLETED', charge, pix: inRaw })).toMatchObject({ e2eId: 'E1' });
  });

  test('a payment on no charge belongs to nobody here', async () => {
    expect(await told({ event: 'OPENPIX:TRANSACTION_RECEIVED', charge: null, pix })).toMatchObject({ type: 'ignored' });
  });

  test('a payout ends', async () => {
    const payment = { value: 30, status: 'CONFIRMED', destinationAlias: '06882328684', correlationID: 'ref2' };
    const transaction = { value: 30, endToEndId: 'E23114447202303161242u80lZNR7nQZ', time };
    expect(await told({ event: 'OPENPIX:MOVEMENT_CONFIRMED', payment, transaction })).toMatchObject({
      ...{ type: 'payout.paid', ref: 'ref2', e2eId: transaction.endToEndId, at: new Date(time) },
    });
    const failed = { ...payment, status: 'FAILED' };
    expect(await told({ event: 'OPENPIX:MOVEMENT_FAILED', payment: failed, transaction })).toMatchObject({
      ...{ type: 'payout.failed', ref: 'ref2', code: 'unspecified' },
    });
    const error = { code: 'REACH_TRANSFER_LIMIT', description: 'limit' };
    expect(await told({ event: 'OPENPIX:MOVEMENT_FAILED', payment: failed, error })).toMatchObject({
      ...{ type: 'payout.failed', code: 'amount_limit', message: 'limit' },
    });
    const rejected = { ...transaction, providerErrorCode: 'BE17', providerRejectedReason: 'invalid creditor' };
    expect(await told({ event: 'OPENPIX:MOVEMENT_FAILED', payment: failed, transaction: rejected })).toMatchObject({
      ...{ type: 'payout.failed', code: 'invalid_request', message: 'invalid creditor' },
    });
    expect(await told({ event: 'OPENPIX:MOVEMENT_REMOVED', payment: { correlationID: 'ref2' } })).toMatchObject({
      ...{ type: 'payout.failed', ref: 'ref2' },
    });
  });

  test('a part of a payout comes back, the same however often it is told', async () => {
    const part = (endToEndId: string) =>
      told({
        event: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
        payment: { correlationID: 'ref2', value: 30, status: 'CONFIRMED' },
        pix: { value: 10, time, endToEndId },
      });
    const first = await part('D1');
    expect(first).toMatchObject({
      ...{ type: 'payout.returned', ref: 'ref2', returnId: 'D1', at: new Date(time) },
      money: { currency: 'BRL', amount: 10 },
    });
    expect((await part('D1'))?.dedupeKey).toBe(first?.dedupeKey);
    expect((await part('D2'))?.dedupeKey).not.toBe(first?.dedupeKey);
  });

  test.each([
    ['OPENPIX:DISPUTE_CREATED', 'OPENED', 'dispute.opened'],
    ['OPENPIX:DISPUTE_ACCEPTED', 'ACCEPTED', 'dispute.lost'],
    ['OPENPIX:DISPUTE_REJECTED', 'REJECTED', 'dispute.won'],
    ['OPENPIX:DISPUTE_CANCELED', 'CANCELED', 'dispute.won'],
  ])('%s means %s: %s', async (event, status, type) => {
    const dispute = {
      status,
      endToEndId: 'E3524a995bbd54034b6d07c1c36014557',
      name: 'Seu jorge',
      value: 1000,
      disputeReason: 'Golpe',
    };
    const { endToEndId: e2eId } = dispute;
    expect(await told({ event, dispute })).toMatchObject({
      type,
      e2eId,
      disputeRef: e2eId,
      money: { amount: 1000 },
      at: now,
    });
  });

  test('a test of the address is a probe, unknown kinds and misfits are ignored with their shape', async () => {
    const probe = { data_criacao: time, evento: 'teste_webhook', event: 'OPENPIX:CHARGE_COMPLETED' };
    expect(await told(probe)).toMatchObject({ type: 'probe' });
    expect(await told({ event: 'PIX_AUTOMATIC_APPROVED', name: 'Maria' })).toMatchObject({ type: 'ignored' });
    const misfit = await told({ event: 'OPENPIX:CHARGE_EXPIRED', charge: { correlationID: 12 } });
    expect(misfit).toMatchObject({
      type: 'ignored',
      reason: expect.stringContaining('{correlationID: number}') as string,
    });
  });
});
