import { z } from 'zod';
import { refundStatusSchema, type Refund } from '@gateway/contracts/deposits';
import type { MessageLanguage } from '@gateway/contracts/payouts';
import { environmentSchema } from '@gateway/contracts/values';
import { presentFailureMessage } from '#src/shared/failure-message.ts';
import { foreignCurrency, foreignCurrencySchema } from '#src/shared/foreign-currency.ts';

const nullableText = z.string().nullable();

/** A refund as contract 0.1 shows it (api.md 2); every member is always present. */
export const refundResourceSchema = z.object({
  id: z.string(),
  object: z.literal('refund'),
  deposit_id: z.string(),
  external_id: z.string(),
  status: refundStatusSchema,
  amount_cents: z.int(),
  currency: foreignCurrencySchema,
  reason: nullableText,
  return_id: nullableText,
  failure_reason: nullableText,
  failure_message: nullableText,
  environment: environmentSchema,
  created_at: z.int(),
  finished_at: nullableText,
});
export type RefundResource = z.infer<typeof refundResourceSchema>;

export function presentRefund(refund: Refund, language?: MessageLanguage): RefundResource {
  return {
    id: refund.id,
    object: 'refund',
    deposit_id: refund.depositId,
    external_id: refund.externalId,
    status: refund.status,
    amount_cents: refund.amount,
    ...foreignCurrency(refund),
    reason: refund.reason,
    return_id: refund.returnId,
    failure_reason: refund.failureReason,
    failure_message: presentFailureMessage(refund, language),
    environment: refund.environment,
    created_at: refund.createdAt,
    finished_at: refund.finishedAt,
  };
}
