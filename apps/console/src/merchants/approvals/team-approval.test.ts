import { expect, test } from 'vitest';
import { sumOfTotals } from '#src/merchants/approvals/team-approval.ts';

test('what several proposals add up to is a sum of each currency, and never one over currencies', () => {
  const proposals = [
    { totals: [{ currency: 'BRL', amount: 1_000, count: 2 }] },
    {
      totals: [
        { currency: 'BRL', amount: 500, count: 1 },
        { currency: 'USDT', amount: 7, count: 1 },
      ],
    },
  ] as const;
  expect(sumOfTotals(proposals)).toEqual([
    { currency: 'BRL', amount: 1_500, count: 3 },
    { currency: 'USDT', amount: 7, count: 1 },
  ]);
});
