import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ProviderEvent } from '#src/index.ts';
import { verifySpeiNotification } from '#src/spei/notifications.ts';

const registration = { id: 'spei', notificationSecret: 'secret-of-our-registration' };
const at = '2026-01-02T10:44:37.000Z';

const signatureOf = (body: Buffer, secret = registration.notificationSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function resultOf(content: unknown, signature?: string | string[]) {
  const rawBody = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const headers = { 'x-spei-signature': signature ?? signatureOf(rawBody) };
  const source = { query: {}, pathSuffix: '', remoteIp: '189.51.60.9', receivedAt: new Date(at) };
  return verifySpeiNotification(registration, { rawBody, headers, ...source });
}

function eventOf(content: object): ProviderEvent {
  const result = resultOf(content);
  if (!result.ok) throw new Error(result.reason);
  expect(result.grade).toBe('ours');
  expect(result.events).toHaveLength(1);
  return result.events[0]!;
}

const notification = (type: string, data: unknown) => ({ id: 'ntf_1', type, created_at: at, data });
const payment = { tracking_key: 'K1', charge_reference: 'ref1', amount: 1_000, currency: 'MXN', paid_at: at };
const transfer = { reference: 'ref2', tracking_key: 'K2', amount: 1_000, currency: 'MXN', settled_at: at };
const refund = { reference: 'ref3', return_key: 'D1', amount: 1_000, currency: 'MXN' };
const failure = { code: 'ACCOUNT_CLOSED', message: 'closed' };

describe('a notification of the SPEI provider', () => {
  const paid = notification('charge.payment_received', payment);

  test('that is signed with the secret of our registration, over the bytes as they came, is ours', () => {
    expect(resultOf(paid)).toMatchObject({ ok: true, grade: 'ours', events: [{ type: 'charge.paid', ref: 'ref1' }] });
    expect(resultOf(Buffer.from(` ${JSON.stringify(paid)}\n`))).toMatchObject({ ok: true });
  });

  test('without that signature is refused, whatever it says', () => {
    const body = Buffer.from(JSON.stringify(paid));
    const right = signatureOf(body);
    const wrong = [
      '',
      right.slice('sha256='.length),
      right.toUpperCase(),
      `${right}0`,
      signatureOf(body, 'another secret'),
      signatureOf(Buffer.from(`${body.toString()} `)),
      [right, right],
      [right],
    ];
    for (const signature of wrong) {
      expect(resultOf(body, signature)).toEqual({ ok: false, reason: 'the signature is missing or wrong' });
    }
    const source = { query: {}, pathSuffix: '', remoteIp: '', receivedAt: new Date(at) };
    expect(verifySpeiNotification(registration, { rawBody: body, headers: {}, ...source }).ok).toBe(false);
  });

  test('that is no JSON, no UTF-8 or no notification is refused and its content not repeated', () => {
    for (const bytes of [Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22]), Buffer.alloc(0)]) {
      expect(resultOf(bytes)).toEqual({ ok: false, reason: 'the body is not JSON' });
    }
    expect(resultOf({ name: 'Maria' })).toEqual({ ok: false, reason: 'the body is {name: string}' });
  });
});

describe('what a notification of SPEI reports', () => {
  test.each([
    ['transfer.settled', { ...transfer, status: 'SETTLED' }, { type: 'payout.paid', ref: 'ref2', e2eId: 'K2' }],
    ['transfer.failed', { ...transfer, status: 'FAILED', failure }, { type: 'payout.failed', code: 'account_closed' }],
    ['refund.settled', { ...refund, status: 'SETTLED' }, { type: 'refund.done', ref: 'ref3', returnId: 'D1' }],
    ['refund.failed', { ...refund, status: 'FAILED', failure }, { type: 'refund.failed', code: 'account_closed' }],
    [
      'transfer.returned',
      { transfer_reference: 'ref2', return_key: 'D2', amount: 5, returned_at: at },
      { type: 'payout.returned', ref: 'ref2', returnId: 'D2' },
    ],
  ])('%s is what it says', (type, data, event) => {
    expect(eventOf(notification(type, data))).toMatchObject(event);
  });

  test('of a type that has consequences, and cannot be read, is set aside with its shape', () => {
    const types = ['charge.payment_received', 'transfer.settled', 'transfer.failed', 'transfer.returned'];
    for (const type of [...types, 'refund.settled', 'refund.failed']) {
      const event = eventOf(notification(type, { name: 'Maria' }));
      expect(event).toMatchObject({ type: 'unreadable', at: new Date(at), reason: `${type} as {name: string}` });
      expect(event.dedupeKey).toMatch(/^spei:unreadable:[0-9a-f]{32}$/);
      expect(event.raw).toMatchObject({ data: { name: 'Maria' } });
    }
  });

  test('of what is under way, or has no consequence, is ignored', () => {
    for (const [type, data] of [
      ['transfer.settled', { ...transfer, status: 'PROCESSING' }],
      ['refund.failed', { ...refund, status: 'PROCESSING' }],
      ['account.statement', null],
      ['account.statement', 'text'],
      ['account.statement', { status: 'SETTLED' }],
    ] as const) {
      const event = eventOf(notification(type, data));
      expect(event, type).toMatchObject({ type: 'ignored', at: new Date(at) });
      expect(event.dedupeKey).toMatch(/^spei:ignored:[0-9a-f]{32}$/);
    }
    for (const data of [null, 'PROCESSING', 7, { status: 'DONE' }]) {
      expect(eventOf(notification('transfer.settled', data)).type).toBe('unreadable');
    }
  });

  test('as a ping is a probe', () => {
    const probe = eventOf(notification('ping', {}));
    expect(probe).toMatchObject({ type: 'probe', at: new Date(at), raw: { type: 'ping' } });
    expect(probe.dedupeKey).toMatch(/^spei:probe:[0-9a-f]{32}$/);
  });

  test('in a text that cannot be kept is set aside, and its text with it', () => {
    const event = eventOf(notification('ping', { name: 'a\0b' }));
    expect(event).toMatchObject({ type: 'unreadable', reason: 'a text has a NUL', raw: expect.any(String) as string });
    expect(event.dedupeKey).toMatch(/^spei:unreadable:[0-9a-f]{32}$/);
  });
});
