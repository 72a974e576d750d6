import { z } from 'zod';

/** Cents as the Pix API writes them (`37.00`): BACEN's pattern `\d{1,10}\.\d{2}`. */
export function toAmountText(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`${cents} is not a number of cents`);
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The reverse; ten digits of reais and two of centavos are always a safe integer. */
export const amountTextSchema = z
  .string()
  .regex(/^\d{1,10}\.\d{2}$/)
  .transform((text) => Number(text.replace('.', '')));

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
