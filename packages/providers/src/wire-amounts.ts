import { z } from 'zod';
import { currencies, decimalText, parseDecimal } from '@gateway/money';

/** BACEN's pattern is `\d{1,10}\.\d{2}`. */
const format = { unitDigitsMax: 10, decimals: 'all' } as const;

/** An amount as the Pix API writes it: `37.00`. @throws RangeError when it does not fit */
export function amountText(cents: number): string {
  return decimalText(cents, currencies.BRL, format);
}

/** The reverse, in minor units. */
export const amountTextSchema = z.string().transform((text, context) => {
  const cents = parseDecimal(text, currencies.BRL, format);
  if (cents !== undefined) return cents;
  context.addIssue({ code: 'custom', message: 'must be decimal text with two decimals' });
  return z.NEVER;
});

/** The amount of something that moved. */
export const movedAmountTextSchema = amountTextSchema.refine((cents) => cents > 0);

/** Whole cents, as a number or in digits: Woovi's descriptions have both. */
export const centsSchema = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,14}$/)
    .transform(Number),
]);

/** The amount of something that moved. */
export const movedCentsSchema = centsSchema.refine((cents) => cents > 0);
