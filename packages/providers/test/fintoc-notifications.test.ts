import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ProviderEvent } from '#src/index.ts';
import { verifyFintocNotification } from '#src/fintoc/notifications.ts';

const registration = { id: 'spei', webhookSecrets: ['secret-of-our-endpoint', 'secret-of-the-one-before'] };
const at = '2026-01-02T10:44:37.000Z';
const seconds = '1767350677';

const signatureOf = (body: Buffer, secret = registration.webhookSecrets[0]!, time = seconds) =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;

function resultOf(content: unknown, signature?: string | string[]) {
  const rawBody = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const headers = { 'fintoc-signature': signature ?? signatureOf(rawBody) };
  const source = { query: {}, pathSuffix: '', remoteIp: '189.51.60.9', receivedAt: new Date(at) };
  return verifyFintocNotification(registration, { rawBody, headers, ...source });
}

function eventOf(content: object): ProviderEvent {
  const result = resultOf(content);
  if (!result.ok) throw new Error(result.reason);
  expect(result.grade).toBe('ours');
  expect(result.events).toHaveLength(1);
  return result.events[0]!;
}

const notification = (type: string, data: unknown) => ({ id: 'evt_1', object: 'event', type, created_at: at, data });
const payment = {
  ...{ id: 'tr_1', direction: 'inbound', amount: 1_000, currency: 'MXN', status: 'succeeded', tracking_key: 'K1' },
  ...{ transaction_date: at, account_number: { id: 'acno_1', metadata: { reference: 'ref1', kind: 'charge' } } },
  counterparty: { account_number: '032180000118359719', holder_name: 'Maria', institution: { name: 'BBVA' } },
};
const outbound = (kind: string, status: string, change: object = {}) => ({
  ...{ id: 'tr_2', direction: 'outbound', amount: 1_000, currency: 'MXN', status, tracking_key: 'K2' },
  ...{ transaction_date: at, metadata: { reference: 'ref2', kind }, return_reason: null },
  ...change,
});

describe('a notification of Fintoc', () => {
  const paid = notification('transfer.inbound.succeeded', payment);

  test('that is signed with a secret of our endpoints, over the time and the bytes as they came, is ours', () => {
    expect(resultOf(paid)).toMatchObject({ ok: true, grade: 'ours', events: [{ type: 'charge.paid', ref: 'ref1' }] });
    const spaced = Buffer.from(` ${JSON.stringify(paid)}\n`);
    expect(resultOf(spaced)).toMatchObject({ ok: true });
    expect(resultOf(spaced, signatureOf(spaced, registration.webhookSecrets[1]))).toMatchObject({ ok: true });
  });

  test('without that signature is refused, whatever is in it', () => {
    const body = Buffer.from(JSON.stringify(paid));
    const right = signatureOf(body);
    const [time = '', proof = ''] = right.split(',');
    const wrong = [
      ...['', time, proof, `${proof},${proof}`, right.toUpperCase(), `${right}0`, `t=1,${proof}`, `t=,${proof}`],
      ...[
        signatureOf(body, 'another secret'),
        signatureOf(Buffer.from(`${body.toString()} `)),
        [right, right],
        [right],
      ],
    ];
    for (const signature of wrong) {
      expect(resultOf(body, signature)).toEqual({ ok: false, reason: 'the signature is missing or wrong' });
    }
    const source = { query: {}, pathSuffix: '', remoteIp: '', receivedAt: new Date(at) };
    expect(verifyFintocNotification(registration, { rawBody: body, headers: {}, ...source }).ok).toBe(false);
  });

  test('that is no JSON, no UTF-8 or no event is refused and its content not repeated', () => {
    for (const bytes of [Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22]), Buffer.alloc(0)]) {
      expect(resultOf(bytes)).toEqual({ ok: false, reason: 'the body is not JSON' });
    }
    expect(resultOf({ name: 'Maria' })).toEqual({ ok: false, reason: 'the body is {name: string}' });
  });
});

describe('what a notification of Fintoc reports', () => {
  test('a payment on the account number of a charge, with its payer and under its tracking key', () => {
    expect(eventOf(notification('transfer.inbound.succeeded', payment))).toMatchObject({
      ...{ type: 'charge.paid', ref: 'ref1', e2eId: 'K1', money: { currency: 'MXN', amount: 1_000 } },
      ...{ payer: { name: 'Maria', bank: 'BBVA' }, at: new Date(at), dedupeKey: 'spei:payment:tr_1' },
    });
  });

  test.each([
    ['payout', 'succeeded', { type: 'payout.paid', ref: 'ref2', e2eId: 'K2' }],
    ['payout', 'failed', { type: 'payout.failed', code: 'account_closed' }],
    ['payout', 'rejected', { type: 'payout.failed', code: 'account_closed' }],
    ['payout', 'returned', { type: 'payout.returned', ref: 'ref2', returnId: 'K2', money: { amount: 1_000 } }],
    ['refund', 'succeeded', { type: 'refund.done', ref: 'ref2', returnId: 'K2' }],
    ['refund', 'failed', { type: 'refund.failed', code: 'account_closed' }],
    ['refund', 'rejected', { type: 'refund.failed', code: 'account_closed' }],
    ['refund', 'returned', { type: 'refund.failed', code: 'account_closed' }],
  ])('a %s that is %s, whatever the event is called', (kind, status, event) => {
    const cause = status === 'succeeded' ? {} : { return_reason: 'canceled_account' };
    for (const name of ['transfer.outbound.succeeded', 'transfer.outbound.rejected', 'transfer.outbound.returned']) {
      const found = eventOf(notification(name, outbound(kind, status, cause)));
      expect(found).toMatchObject(event);
      expect(found.dedupeKey).toBe(`spei:transfer:tr_2:${status}`);
    }
  });

  test('of a transfer that cannot be read is set aside with its shape', () => {
    for (const data of [
      { name: 'Maria' },
      { ...payment, currency: 'CLP' },
      { ...payment, status: 'new' },
      { ...payment, tracking_key: null },
      null,
    ]) {
      const event = eventOf(notification('transfer.inbound.succeeded', data));
      expect(event).toMatchObject({ type: 'unreadable', at: new Date(at) });
      expect(event.dedupeKey).toMatch(/^spei:unreadable:[0-9a-f]{32}$/);
    }
  });

  test('of what is under way, of no consequence, or not of the gateway is ignored', () => {
    for (const [type, data] of [
      ['transfer.outbound.succeeded', outbound('payout', 'pending')],
      ['transfer.outbound.succeeded', outbound('payout', 'reject_failed')],
      ['transfer.outbound.succeeded', outbound('refund', 'return_pending')],
      ['transfer.outbound.succeeded', outbound('payroll', 'succeeded')],
      ['transfer.outbound.succeeded', outbound('payout', 'succeeded', { metadata: {} })],
      ['transfer.inbound.returned', { ...payment, status: 'returned' }],
      ['transfer.inbound.succeeded', { ...payment, account_number: { id: 'acno_root', metadata: {} } }],
      ['link.created', null],
      ['link.created', 'text'],
    ] as const) {
      const event = eventOf(notification(type, data));
      expect(event, type).toMatchObject({ type: 'ignored', at: new Date(at) });
      expect(event.dedupeKey).toMatch(/^spei:ignored:[0-9a-f]{32}$/);
    }
  });

  test('in a text that cannot be kept is set aside, and its text with it', () => {
    const event = eventOf(notification('transfer.inbound.succeeded', { name: 'a\0b' }));
    expect(event).toMatchObject({ type: 'unreadable', reason: 'a text has a NUL', raw: expect.any(String) as string });
    expect(event.dedupeKey).toMatch(/^spei:unreadable:[0-9a-f]{32}$/);
  });
});
