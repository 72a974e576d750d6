import { z } from 'zod';
import { idSchema, currencySchema, amountSchema } from '@gateway/money';

/** A part of a payout that came back; all parts of one payout never add up to more than its amount. */
export const payoutReturnSchema = z.object({
  id: idSchema('payoutReturn'),
  amount: amountSchema,
  currency: currencySchema,
  /** The id of the return on its rail, where there is one. */
  e2eId: z.string().nullable(),
  /** ISO 8601 UTC with milliseconds; when it came back by the provider's clock. */
  returnedAt: z.string(),
});
export type PayoutReturn = z.infer<typeof payoutReturnSchema>;
