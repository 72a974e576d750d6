import { describe, expect, test } from 'vitest';
import type { BookedMoney } from '#src/providers/booked-money.ts';
import { ownFundsOf, unexplained } from '#src/providers/unexplained.ts';

const reading = (booked: number, ...bounds: [atLeast: number, atMost: number][]): BookedMoney => ({
  booked,
  inFlight: bounds.map(([atLeast, atMost]) => ({ what: 'payouts_under_way', atLeast, atMost })),
});

describe('what a provider holds', () => {
  test.each<[string, number, number, BookedMoney[], number]>([
    ['is what is booked and what is ours', 1_500, 500, [reading(1_000)], 0],
    ['is a cent more', 1_501, 500, [reading(1_000)], 1],
    ['is a cent less', 1_499, 500, [reading(1_000)], -1],
    ['has let a payout go that is not settled', 700, 0, [reading(1_000, [-300, 0])], 0],
    ['has let a cent more go than that', 699, 0, [reading(1_000, [-300, 0])], -1],
    ['has a payment that is not credited', 1_200, 0, [reading(1_000, [0, 200])], 0],
    ['has more than that', 1_201, 0, [reading(1_000, [0, 200])], 1],
    ['certainly has gathered transfers', 1_000, 0, [reading(1_000, [50, 50])], -50],
    ['changed while it was asked', 1_040, 0, [reading(1_000), reading(1_100)], 0],
    ['was never between the readings', 1_101, 0, [reading(1_000), reading(1_100)], 1],
    ['owes us', -20, -20, [reading(0)], 0],
  ])('%s', (_case, held, ownFunds, readings, difference) => {
    expect(unexplained(held, ownFunds, readings)).toBe(difference);
  });

  test('beyond the books is our own, found out while nothing moves', () => {
    expect(ownFundsOf(1_500, [reading(1_000), reading(1_000)])).toBe(500);
    expect(ownFundsOf(1_500, [reading(1_000), reading(1_001)])).toBeNull();
    expect(ownFundsOf(1_500, [reading(1_000, [-1, 0])])).toBeNull();
  });
});
