import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyAndParse } from '#src/bacen/notifications.ts';
import type { NotificationResult } from '#src/index.ts';
import { verifyWooviNotification } from '#src/woovi/notifications.ts';

const receivedAt = new Date('2026-01-02T10:44:37.000Z');
const source = { query: {}, pathSuffix: '', remoteIp: '34.193.116.226', receivedAt };
const bytesOf = (content: unknown) => (Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)));
const noUtf8 = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
const digest = '[0-9a-f]{32}';

function eventIn(result: NotificationResult, grade: string) {
  if (!result.ok) throw new Error(result.reason);
  expect(result.grade).toBe(grade);
  expect(result.events).toHaveLength(1);
  return result.events[0]!;
}

describe('a notification of the Pix API', () => {
  const resultOf = (content: unknown, change: object = {}) =>
    verifyAndParse({ providerId: 'bank', proof: {} }, { rawBody: bytesOf(content), headers: {}, ...source, ...change });

  test('that is no JSON, no UTF-8 or nothing of that interface is refused, with its shape alone', () => {
    for (const bytes of [Buffer.from('{'), noUtf8]) {
      expect(resultOf(bytes)).toEqual({ ok: false, reason: 'the body is not JSON' });
    }
    expect(resultOf({ pix: 'Maria' })).toEqual({ ok: false, reason: 'the body is {pix: string}' });
  });

  test('without payments is a probe', () => {
    for (const content of [{}, { pix: [] }]) {
      const event = eventIn(resultOf(content), 'hint');
      expect(event).toMatchObject({ type: 'probe', at: receivedAt, raw: content });
      expect(event.dedupeKey).toMatch(new RegExp(`^bank:probe:${digest}$`));
    }
  });

  test('of mandates, or their charges, is ignored', () => {
    for (const content of [{ recs: [1] }, { cobsr: [] }]) {
      const event = eventIn(resultOf(content), 'hint');
      expect(event).toMatchObject({ type: 'ignored', at: receivedAt, raw: content });
      expect(event).toHaveProperty('reason', 'mandates and their charges are not made here');
      expect(event.dedupeKey).toMatch(new RegExp(`^bank:ignored:${digest}$`));
    }
  });

  test('with a text that cannot be kept leaves its shape', () => {
    expect(eventIn(resultOf({ recs: ['a\0b'] }), 'hint').raw).toBe('{recs: [string x 1]}');
    const event = eventIn(resultOf({ pix: [{ name: 'a\0b' }] }), 'hint');
    expect(event).toMatchObject({
      type: 'unreadable',
      reason: 'a text has a NUL',
      raw: '{name: string}',
      at: receivedAt,
    });
    expect(event.dedupeKey).toMatch(new RegExp(`^bank:unreadable:${digest}$`));
  });

  test('from an address is told by the whole address, as IPv4 or as IPv4 in IPv6', () => {
    const proof = { sourceAddresses: ['34.193.116.226'] };
    const from = (remoteIp: string) =>
      verifyAndParse({ providerId: 'bank', proof }, { rawBody: bytesOf({}), headers: {}, ...source, remoteIp });
    for (const remoteIp of ['34.193.116.226', '::ffff:34.193.116.226', '::FFFF:34.193.116.226']) {
      expect(from(remoteIp).ok, remoteIp).toBe(true);
    }
    for (const remoteIp of ['34.193.116.22', '1::ffff:34.193.116.226', '34.::ffff:193.116.226', '']) {
      expect(from(remoteIp), remoteIp).toEqual({ ok: false, reason: 'the source address is not the provider' });
    }
  });
});

describe('a notification of Woovi', () => {
  const secret = 'secret-of-our-webhook';
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKeys = { known: () => [keys.publicKey], published: async () => [] };
  const resultOf = (content: unknown, headers?: Readonly<Record<string, string>>) => {
    const rawBody = bytesOf(content);
    const ours = { 'x-openpix-signature': createHmac('sha1', secret).update(rawBody).digest('base64') };
    const verifying = { providerId: 'woovi', publicKeys, webhookSecrets: [secret] };
    return verifyWooviNotification(verifying, { rawBody, headers: headers ?? ours, ...source });
  };
  const eventOf = async (content: unknown) => eventIn(await resultOf(content), 'ours');

  test('without a signature is refused', async () => {
    const refused = { ok: false, reason: 'the signature is missing or wrong' };
    const signature = sign('sha256', bytesOf({}), keys.privateKey).toString('base64');
    for (const text of ['', `${signature}\n`, ` ${signature}`, `*${signature}`, `${signature}*`, 'A'.repeat(1_025)]) {
      expect(await resultOf({}, { 'x-webhook-signature': text })).toEqual(refused);
      expect(await resultOf({}, { 'x-openpix-signature': text })).toEqual(refused);
    }
    expect(eventIn(await resultOf({}, { 'x-webhook-signature': signature }), 'platform').type).toBe('ignored');
  });

  test('that is no JSON, no UTF-8 or no object is refused, with its shape alone', async () => {
    for (const bytes of [Buffer.from('{'), noUtf8]) {
      expect(await resultOf(bytes)).toEqual({ ok: false, reason: 'the body is not JSON' });
    }
    expect(await resultOf('Maria')).toEqual({ ok: false, reason: 'the body is string' });
    expect(await resultOf({ event: 7 })).toEqual({ ok: false, reason: 'the body is {event: number}' });
    for (const event of ['', 'x'.repeat(101)]) expect((await resultOf({ event })).ok).toBe(false);
    expect((await resultOf({ evento: 7 })).ok).toBe(false);
  });

  test('is a probe, ignored, or set aside, each under a key of its own', async () => {
    const probe = await eventOf({ evento: 'teste_webhook' });
    expect(probe).toMatchObject({ type: 'probe', at: receivedAt, raw: { evento: 'teste_webhook' } });
    expect(probe.dedupeKey).toMatch(new RegExp(`^woovi:probe:${digest}$`));
    const unnamed = await eventOf({ name: 'Maria' });
    expect(unnamed).toMatchObject({
      type: 'ignored',
      at: receivedAt,
      reason: 'no event is named',
      raw: { name: 'Maria' },
    });
    expect(unnamed.dedupeKey).toMatch(new RegExp(`^woovi:ignored:${digest}$`));
    const hostile = await eventOf({ evento: 'teste_webhook', name: 'a\0b' });
    expect(hostile).toMatchObject({ type: 'unreadable', at: receivedAt, reason: 'a text has a NUL' });
    expect(hostile.raw).toBe('{evento: string, name: string}');
    expect(hostile.dedupeKey).toMatch(new RegExp(`^woovi:unreadable:${digest}$`));
  });
});
