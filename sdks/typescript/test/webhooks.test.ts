import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventNames } from '#src/generated/events.ts';
import { sampleEvent, signedDelivery, testSecret, type SignedDelivery } from '#src/testing/index.ts';
import { SignatureError, verifyWebhook } from '#src/webhooks/index.ts';

const now = 1_767_348_277;
const event = sampleEvent('deposit.paid');
const otherSecret = `whsec_${Buffer.from('another secret of this webhook').toString('base64')}`;
let delivery: SignedDelivery;
beforeAll(async () => {
  delivery = await signedDelivery({ secret: testSecret, event, now });
});

const reasonOf = async (change: Partial<Parameters<typeof verifyWebhook>[0]>): Promise<unknown> =>
  verifyWebhook({ ...delivery, secret: testSecret, now, ...change }).then(
    () => 'verified',
    (error: unknown) => (error instanceof SignatureError ? error.reason : error),
  );
const without = (headers: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) as Record<string, string>;
const ownHeaders = ['x-gateway-signature', 'x-gateway-timestamp'];

describe('a delivery', () => {
  test('is verified as the gateway signs it, by an implementation of its own', async () => {
    const mac = createHmac('sha256', testSecret).update(`${now}.${delivery.body}`).digest('hex');
    expect(delivery.headers['x-gateway-signature']).toBe(`sha256=${mac}`);
    const verified = await verifyWebhook({ ...delivery, secret: testSecret, now });
    expect(verified).toMatchObject({ event: 'deposit.paid', id: event.id, attempt: 1, data: { id: event.data.id } });
    expect(await reasonOf({ body: new TextEncoder().encode(delivery.body) })).toBe('verified');
    expect(await reasonOf({ headers: new Headers(delivery.headers) })).toBe('verified');
    expect(await reasonOf({ headers: { ...delivery.headers, 'x-gateway-attempt': ['2'] } })).toBe('verified');
  });

  test('is verified by Standard Webhooks where the gateway’s own headers are missing, as their vector has it', async () => {
    const standard = without(delivery.headers, ...ownHeaders);
    expect(await reasonOf({ headers: standard })).toBe('verified');
    const vector = {
      body: '{"test": 2432232314}',
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1a,other v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      ...{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now: 1_614_265_330 },
    };
    await expect(verifyWebhook(vector)).rejects.toThrow('the signed body is no event');
    await expect(verifyWebhook({ ...vector, body: `${vector.body} ` })).rejects.toMatchObject({ reason: 'mismatch' });
  });

  test('is taken with either secret while a rotation lasts, in either header', async () => {
    const next = await signedDelivery({ secret: otherSecret, event, now });
    const rotating = { ...delivery.headers, 'x-gateway-signature-next': next.headers['x-gateway-signature'] };
    for (const secret of [testSecret, otherSecret, [otherSecret, testSecret]])
      expect(await reasonOf({ headers: rotating, secret })).toBe('verified');
    expect(await reasonOf({ secret: otherSecret })).toBe('mismatch');
  });

  test('of which one bit is another is refused, wherever it is', async () => {
    const flips = (text: string) =>
      Array.from({ length: Buffer.byteLength(text) * 8 }, (_, bit) => {
        const bytes = new TextEncoder().encode(text);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        return bytes;
      });
    const bodies = await Promise.all(flips(delivery.body).map((body) => reasonOf({ body })));
    expect(bodies.length).toBeGreaterThan(4_000);
    expect(new Set(bodies)).toEqual(new Set(['mismatch']));
    const standard = without(delivery.headers, ...ownHeaders);
    for (const [headers, names] of [
      [delivery.headers, ownHeaders],
      [standard, ['webhook-id', 'webhook-timestamp', 'webhook-signature']],
    ] as const) {
      for (const name of names) {
        for (const flipped of flips((headers as Record<string, string>)[name]!)) {
          const changed = { ...headers, [name]: Buffer.from(flipped).toString('latin1') };
          expect(await reasonOf({ headers: changed })).toMatch(/^(mismatch|malformed|too_old|too_new)$/);
        }
      }
    }
  });

  test.each([
    [299, 'verified'],
    [300, 'verified'],
    [301, 'too_old'],
    [-299, 'verified'],
    [-301, 'too_new'],
  ])('signed %i s ago: %s', async (ageSec, expected) => {
    expect(await reasonOf({ now: now + ageSec })).toBe(expected);
    expect(await reasonOf({ now: now + ageSec, headers: without(delivery.headers, ...ownHeaders) })).toBe(expected);
  });

  test('that is old is refused whatever time stands beside the one that was signed', async () => {
    const later = now + 301;
    const standard = { ...without(delivery.headers, ...ownHeaders), 'x-gateway-timestamp': String(later) };
    const own = { ...without(delivery.headers, 'webhook-signature'), 'webhook-timestamp': String(later) };
    for (const headers of [standard, own]) expect(await reasonOf({ now: later, headers })).toBe('too_old');
  });

  test.each([
    ['no headers', {}, 'missing'],
    ['no time', { 'x-gateway-signature': 'sha256=00' }, 'missing'],
    ['no signature', { 'x-gateway-timestamp': String(now) }, 'missing'],
    ['half a signature', { 'x-gateway-timestamp': String(now), 'x-gateway-signature': 'sha256=00' }, 'malformed'],
    ['a time in words', { 'x-gateway-timestamp': 'now', 'x-gateway-signature': 'sha256=00' }, 'malformed'],
    ['no v1', { 'webhook-id': 'a', 'webhook-timestamp': String(now), 'webhook-signature': 'v2,AA==' }, 'malformed'],
  ])('with %s is refused: %s', async (_, headers, reason) => {
    expect(await reasonOf({ headers })).toBe(reason);
  });

  test('that a parser has read, or a missing secret, is a fault of the receiver and says what to do', async () => {
    await expect(verifyWebhook({ ...delivery, body: event as never, secret: testSecret })).rejects.toThrow(
      'express.raw',
    );
    // What begins as a secret and ends there is a key that everyone knows.
    for (const secret of ['', 'whsec_', [], [testSecret, ''], undefined as unknown as string])
      await expect(verifyWebhook({ ...delivery, secret, now })).rejects.toThrow(TypeError);
  });

  test('keeps the id that was signed, whatever its headers are changed to', async () => {
    const headers = { ...delivery.headers, 'x-gateway-event-id': 'evt_other', 'webhook-id': 'evt_other' };
    expect(await verifyWebhook({ ...delivery, headers, secret: testSecret, now })).toMatchObject({ id: event.id });
  });

  test('of an event that is newer than this package is an unknown event, with its data', async () => {
    const newer = { ...event, event: 'deposit.split' };
    const signed = await signedDelivery({ secret: testSecret, event: newer, now });
    const verified = await verifyWebhook({ ...signed, secret: testSecret, now });
    expect(verified).toMatchObject({ event: 'unknown', name: 'deposit.split', id: event.id, data: event.data });
  });

  test('can be made of every event, in both contracts', async () => {
    for (const name of eventNames) {
      for (const apiVersion of ['0.1', '1.0'] as const) {
        const sample = sampleEvent(name, apiVersion);
        const signed = await signedDelivery({ secret: testSecret, event: sample });
        expect(await verifyWebhook({ ...signed, secret: testSecret })).toMatchObject({ event: name, id: sample.id });
      }
    }
  });
});
