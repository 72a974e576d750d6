import { z } from 'zod';
import { externalIdSchema, personNameSchema, phoneSchema } from '@gateway/contracts/values';
import { amountSchema, currencies, parseDecimal } from '@gateway/money';
import { documentSchema } from '@gateway/public-api';

const amountMembers: ReadonlySet<string> = new Set(['value', 'amount']);

/** `1e2` is 100 for a JSON parser and bad input for us. Kept as text, it is refused like other text. */
export function keepExponents(name: string, value: unknown, source: string): unknown {
  return amountMembers.has(name) ? source : value;
}

/**
 * An amount in BRL as connector clients write it: `19.9` or `"19.90"`. A number is read by its shortest decimal text,
 * the one its sender meant, and never multiplied: `67.56` is 6756 cents.
 */
export const connectorAmountSchema = z
  .union([z.number(), z.string()], 'is required and must be a decimal number')
  .transform((given, context) => {
    const cents = amountSchema.safeParse(parseDecimal(String(given), currencies.BRL));
    if (cents.success) return cents.data;
    context.addIssue({
      code: 'custom',
      message: 'must be a decimal number above zero with a point and at most two decimals',
    });
    return z.NEVER;
  });

export const connectorExternalIdSchema = z
  .string('is required and must be text')
  .min(1, 'must not be empty')
  .pipe(externalIdSchema);

export const optionalNameSchema = leftOut(personNameSchema);
export const optionalDocumentSchema = leftOut(documentSchema);
export const optionalPhoneSchema = leftOut(phoneSchema);

/** Clients without a value send null or empty text in its place. */
function leftOut<S extends z.ZodType>(schema: S) {
  return z.preprocess((given) => (given === '' || given === undefined ? null : given), schema.nullable());
}
