import { expect, test } from 'vitest';
import { feesIn, limitsIn } from '#src/records/account-terms.ts';

const fee = (fixed: number) => ({ fixed_cents: fixed, bps: 0 });
const fees = { deposit: fee(1), payout: fee(2) };
const payout_limits = { per_payout_cents: 5_000, per_day_cents: null };

test('what an account has in pesos is its own where something is said of them, and that of reais where nothing is', () => {
  const own = { fees: { ...fees, MXN: { deposit: fee(3), payout: fee(4) } } };
  expect([feesIn(own, 'BRL').payout, feesIn(own, 'MXN').payout]).toEqual([fee(2), fee(4)]);
  expect(feesIn({ fees }, 'MXN').payout).toEqual(fee(2));
  const limits = { payout_limits: { ...payout_limits, MXN: { per_payout_cents: null, per_day_cents: 9_000 } } };
  expect(limitsIn(limits, 'MXN')).toEqual({ per_payout_cents: null, per_day_cents: 9_000 });
  expect(limitsIn(limits, 'BRL').per_payout_cents).toBe(5_000);
  expect(limitsIn({ payout_limits }, 'MXN')).toEqual(payout_limits);
});
