import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feeOf as feeAsTaken } from '@gateway/money';
import { feeOf } from '#src/money/fee.ts';

test('the fee that is shown before is the one that the gateway takes', () => {
  const amounts = fc.integer({ min: 1, max: 2 ** 46 });
  const part = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(amounts, part, part, (amount, fixed, bps) => {
      expect(feeOf(amount, { fixed_cents: fixed, bps })).toBe(feeAsTaken(amount, { fixedCents: fixed, bps }));
    }),
  );
});
