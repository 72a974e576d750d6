import { z } from 'zod';
import { idSchema, currencySchema, amountSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';

/** Units of the currency that is given for one unit of the currency that is got, with 8 decimals: `5.41230000`. */
export const rateTextSchema = z.string().regex(/^\d{1,10}\.\d{8}$/, 'must be a rate with 8 decimals');

/** A rate that is kept for an account for a short time; it serves one conversion. */
export const quoteSchema = z.object({
  id: idSchema('quote'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  from: currencySchema,
  to: currencySchema,
  fromAmount: amountSchema,
  toAmount: amountSchema,
  rate: rateTextSchema,
  /** Unix seconds. */
  createdAt: z.int(),
  /** Unix seconds; from then on it serves no conversion. */
  expiresAt: z.int(),
  /** `USED` once a conversion has taken it, also one whose outcome is not known yet. */
  status: z.enum(['ACTIVE', 'USED', 'EXPIRED']).default('ACTIVE'),
});
export type Quote = z.infer<typeof quoteSchema>;
