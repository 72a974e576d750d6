import { expect, test } from 'vitest';
import { actionsOf, attentionOf, dayOfLimits, paidIn } from '#src/payouts/describe-payout.ts';
import { operatorsEn } from '#src/texts/operators-en.ts';

const all = { 'payouts:approve': 'within_limit', 'operations:write': 'full', 'money:propose': 'full' };

test('a payout that waits is approved or refused, one under way is looked up or resolved, one that ended is read', () => {
  expect(actionsOf({ status: 'PENDING' }, all)).toEqual(['approve', 'refuse']);
  expect(actionsOf({ status: 'PROCESSING' }, all)).toEqual(['look-up', 'resolve']);
  for (const status of ['PAID', 'FAILED', 'REJECTED'] as const) expect(actionsOf({ status }, all)).toEqual([]);
});

test('nothing is offered that the permissions of the session do not allow', () => {
  expect(actionsOf({ status: 'PENDING' }, {})).toEqual([]);
  expect(actionsOf({ status: 'PROCESSING' }, { 'operations:write': 'full' })).toEqual(['look-up']);
});

test('a stuck payout says why, and one whose reason is not known here says that it cannot go on by itself', () => {
  const since = '2026-01-02T10:00:00.000Z';
  expect(attentionOf({ attention_at: null, attention_reason: null }, operatorsEn)).toBeUndefined();
  expect(attentionOf({ attention_at: since, attention_reason: 'paid_twice' }, operatorsEn)).toMatch('Two providers');
  expect(attentionOf({ attention_at: since, attention_reason: 'toString' }, operatorsEn)).toBe(
    operatorsEn.payouts.attention.other,
  );
});

test('limits count by the day of UTC, and of its events what was paid', () => {
  const { from, zone } = dayOfLimits(new Date('2026-03-04T23:59:59.999Z'));
  expect([from, zone]).toEqual([String(Date.UTC(2026, 2, 4) / 1_000), 'UTC']);
  const total = (event: 'payout.paid' | 'payout.failed', amount_cents: number) => ({ event, amount_cents });
  expect(paidIn([total('payout.paid', 300), total('payout.failed', 50), total('payout.paid', 7)])).toBe(307);
  expect(paidIn([])).toBe(0);
});
