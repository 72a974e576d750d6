import { z } from 'zod';
import { currencies } from '#src/money/currency.ts';

/** Largest amount a request in any currency may carry, in the smallest unit; the currency's own bound may be lower. */
export const amountMax = Math.max(...Object.values(currencies).map((facts) => facts.amountMax));

const amountMessage = 'must be a positive integer: cents, a number and no text';

/** A requested amount: a positive safe integer in minor units. */
export const amountSchema = z
  .int({ error: ({ input }) => (input === undefined ? 'is required' : amountMessage) })
  .positive(amountMessage)
  .max(amountMax, `must be at most ${amountMax}`);

/** Any movement or balance: a safe integer in minor units, of either sign. */
export const minorUnitsSchema = z.int();

export type Rounding = 'floor' | 'ceil' | 'half-up';

/**
 * amount · numerator / denominator in exact integer arithmetic: the only way fees and rates are applied.
 *
 * @param amount minor units, not negative
 * @throws RangeError when the denominator is not positive, an operand is negative, or the result is not a safe integer
 */
export function mulDiv(amount: number, numerator: number, denominator: number, rounding: Rounding): number {
  if (amount < 0 || numerator < 0) throw new RangeError('mulDiv takes no negative operands');
  if (denominator <= 0) throw new RangeError('mulDiv needs a positive denominator');
  const product = BigInt(amount) * BigInt(numerator);
  const divisor = BigInt(denominator);
  const quotient = product / divisor;
  const remainder = product % divisor;
  const result = Number(quotient + (roundsUp(remainder, divisor, rounding) ? 1n : 0n));
  if (!Number.isSafeInteger(result)) throw new RangeError('mulDiv result is not a safe integer');
  return result;
}

function roundsUp(remainder: bigint, divisor: bigint, rounding: Rounding): boolean {
  switch (rounding) {
    case 'floor':
      return false;
    case 'ceil':
      return remainder > 0n;
    case 'half-up':
      return remainder * 2n >= divisor;
  }
}

/** What an account pays per operation. */
export const feeScheduleSchema = z.object({
  fixedCents: z.int().nonnegative().max(amountMax),
  /** Basis points of the amount: 100 is one per cent. */
  bps: z.int().nonnegative().max(10_000),
});
export type FeeSchedule = z.infer<typeof feeScheduleSchema>;

/** fixed + amount · bps / 10000, rounded half up to a minor unit (api.md 5). */
export function feeOf(amount: number, schedule: FeeSchedule): number {
  return schedule.fixedCents + mulDiv(amount, schedule.bps, 10_000, 'half-up');
}
