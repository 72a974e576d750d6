import { expect, test } from 'vitest';
import type { Deposit, LedgerEntry, Refund } from '#src/generated/merchants/types.gen.ts';
import { refundTimelineOf, timelineOf } from '#src/merchants/payments/describe-payment.ts';
import { merchantsEn } from '#src/texts/merchants-en.ts';

const created = 1_767_225_600;
const deposit = { status: 'PAID', created_at: created, expires_at: created + 600 } as Deposit;

test('what happened to a payment is shown oldest first, its entries with their amounts', () => {
  const entry = { id: 'led_1', type: 'DEPOSIT_NET', amount: 1_940, currency: 'BRL', created_at: created + 60 };
  const refund = { status: 'DONE', created_at: created + 120, finished_at: '2026-01-01T00:03:00.000Z' };
  const known = {
    deposit: { ...deposit, paid_at: '2026-01-01T00:01:00.700Z' },
    refunds: [refund as Refund],
    entries: [entry as LedgerEntry],
  };
  const timeline = timelineOf(known, merchantsEn);
  expect(timeline.map(({ what, amount_cents: amount }) => [what, amount])).toEqual([
    ['Created', null],
    ['Paid', null],
    [merchantsEn.entries.DEPOSIT_NET, 1_940],
    ['Refund begun', null],
    ['Refund done', null],
  ]);
});

test('that a payment has expired stands at the time until which it could be paid, and nowhere while it can be', () => {
  const known = { refunds: [], entries: [] };
  const expired = timelineOf({ ...known, deposit: { ...deposit, status: 'EXPIRED' } }, merchantsEn);
  expect(expired.map(({ at, what }) => [at, what])).toEqual([
    ['2026-01-01T00:00:00.000Z', 'Created'],
    ['2026-01-01T00:10:00.000Z', 'Expired'],
  ]);
  expect(timelineOf({ ...known, deposit: { ...deposit, status: 'PENDING' } }, merchantsEn)).toHaveLength(1);
});

test('what happened to a refund is shown from its beginning over its entries to its end, as far as it has one', () => {
  const refund = { status: 'FAILED', created_at: created, finished_at: '2026-01-01T00:00:00.900Z' } as Refund;
  const entry = {
    id: 'led_1',
    type: 'DEPOSIT_REFUND',
    amount: -500,
    currency: 'BRL',
    created_at: created,
  } as LedgerEntry;
  const of = (given: Refund) => refundTimelineOf(given, [entry], merchantsEn).map(({ what }) => what);
  expect(of(refund)).toEqual(['Refund begun', merchantsEn.entries.DEPOSIT_REFUND, 'Refund failed']);
  expect(of({ ...refund, status: 'PROCESSING', finished_at: null })).toHaveLength(2);
});
