import { z } from 'zod';
import { idSchema, currencySchema, amountSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';

export const refundStatusSchema = z.enum(['PROCESSING', 'DONE', 'FAILED']).meta({
  id: 'RefundStatus',
  description:
    '`PROCESSING`: on its way. `DONE`: the payer has it. `FAILED`: it could not be sent; the amount is available again.',
});
export type RefundStatus = z.infer<typeof refundStatusSchema>;

/** Money of a deposit on its way back to the payer, as the services know it; presenters give it its public shape. */
export const refundSchema = z.object({
  id: idSchema('refund'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  depositId: idSchema('deposit'),
  externalId: z.string(),
  status: refundStatusSchema,
  currency: currencySchema,
  amount: amountSchema,
  /** The merchant's own words. */
  reason: z.string().nullable(),
  /** Id of the return on the rail, once it is done. */
  returnId: z.string().nullable(),
  failureReason: z.string().nullable(),
  failureMessage: z.string().nullable(),
  /** Unix seconds. */
  createdAt: z.int(),
  /** ISO 8601 UTC with milliseconds; null until DONE or FAILED. */
  finishedAt: z.string().nullable(),
});
export type Refund = z.infer<typeof refundSchema>;
