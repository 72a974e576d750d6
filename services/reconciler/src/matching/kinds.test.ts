import { expect, test } from 'vitest';
import { itemKindSchema } from '@gateway/contracts/reconciler';
import { deadlineOf } from '#src/matching/kinds.ts';

const minutes = (count: number) => count * 60_000;

test.each([
  [5, ['payment', 'payout_return', 'dispute_return', 'dispute_overturn', 'refunded', 'clearing', 'other']],
  [24 * 60, ['refund', 'payout']],
] as const)('an item may lack a side for %i minutes: %s', (waits, kinds) => {
  const now = new Date('2026-11-20T15:00:00.250Z');
  for (const kind of kinds) expect(deadlineOf(kind, now).getTime() - now.getTime(), kind).toBe(minutes(waits));
});

test.each([
  ['2026-11-20T15:00:00.250Z', '2026-11-21T03:00:00.000Z'],
  // Still the same day in São Paulo, and then the first moment of the next one.
  ['2026-11-21T02:59:59.999Z', '2026-11-21T03:00:00.000Z'],
  ['2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
])('what the provider books by itself may lack a side to the end of its day: %s', (now, until) => {
  for (const kind of ['provider_fee', 'own_transfer', 'batch'] as const) {
    expect(deadlineOf(kind, new Date(now)).toISOString(), kind).toBe(until);
  }
  expect(itemKindSchema.options).toHaveLength(12);
});
