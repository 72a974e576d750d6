import { z } from 'zod';
import { minorUnits } from '#src/shared/members.ts';

const bucketsSchema = z
  .object({
    available_cents: minorUnits('What can be spent.', 194_000),
    pending_cents: minorUnits('What is retained for some days; null with `at`.', 1_940).nullable(),
    blocked_cents: minorUnits('What disputes hold; null with `at`.', 500).nullable(),
    total_cents: minorUnits('The sum of the three; null with `at`.', 196_440).nullable(),
  })
  .meta({ id: 'BalanceAmounts', description: 'The balance in one currency. Of the past only `available` is known.' });

/** Balances as contract 0.1 shows them (spec 2.3): `brl` and `usdt` are always present. */
export const balanceResourceSchema = z
  .object({
    brl: bucketsSchema.describe('The balance in reais.'),
    usdt: bucketsSchema.describe('The balance in USDT.'),
  })
  .meta({ id: 'Balance', description: 'The balances of the account; both currencies are always there.' });
export type BalanceResource = z.infer<typeof balanceResourceSchema>;
