import { z } from 'zod';
import { idSchema, currencySchema, amountSchema } from '@gateway/money';
import { rateTextSchema } from '#src/conversions/quote.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** Money of an account that was changed into another currency, as the services know it. */
export const conversionSchema = z.object({
  id: idSchema('conversion'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  externalId: z.string(),
  /** Null when it was made at the rate of the moment. */
  quoteId: idSchema('quote').nullable(),
  /** There is no other: what cannot be completed leaves no record. */
  status: z.literal('COMPLETED'),
  from: currencySchema,
  to: currencySchema,
  fromAmount: amountSchema,
  toAmount: amountSchema,
  rate: rateTextSchema,
  /** The order that bought its USDT (`tro_…`), `by hand`, or null; shown to operators alone. */
  coveredBy: z.string().nullable().default(null),
  /** Unix seconds. */
  createdAt: z.int(),
});
export type Conversion = z.infer<typeof conversionSchema>;
