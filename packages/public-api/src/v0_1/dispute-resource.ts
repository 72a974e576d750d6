import { z } from 'zod';
import { disputeStatusSchema, evidenceStatusSchema, type Dispute } from '@gateway/contracts/deposits';
import { environmentSchema } from '@gateway/contracts/values';
import { foreignCurrency, foreignCurrencySchema } from '#src/shared/foreign-currency.ts';

const nullableText = z.string().nullable();

/** A dispute as contract 0.1 shows it (api.md 2); every member is always present. */
export const disputeResourceSchema = z.object({
  id: z.string(),
  object: z.literal('dispute'),
  deposit_id: z.string(),
  external_id: z.string(),
  e2e_id: z.string(),
  amount_cents: z.int(),
  currency: foreignCurrencySchema,
  blocked_cents: z.int(),
  returned_cents: z.int(),
  reason: nullableText,
  status: disputeStatusSchema,
  environment: environmentSchema,
  opened_at: z.string(),
  defense_due_at: nullableText,
  resolved_at: nullableText,
  /** What was sent against it, oldest first, and whether the provider took it. */
  evidence: z.array(
    z.object({
      text: z.string(),
      urls: z.array(z.string()),
      status: evidenceStatusSchema,
      /** When it was last handed to the provider. */
      sent_at: nullableText,
      failure_message: nullableText,
    }),
  ),
});
export type DisputeResource = z.infer<typeof disputeResourceSchema>;

export function presentDispute(dispute: Dispute): DisputeResource {
  return {
    id: dispute.id,
    object: 'dispute',
    deposit_id: dispute.depositId,
    external_id: dispute.externalId,
    e2e_id: dispute.e2eId,
    amount_cents: dispute.amount,
    ...foreignCurrency(dispute),
    blocked_cents: dispute.blocked,
    returned_cents: dispute.returned,
    reason: dispute.reason,
    status: dispute.status,
    environment: dispute.environment,
    opened_at: dispute.openedAt,
    defense_due_at: dispute.defenseDueAt,
    resolved_at: dispute.resolvedAt,
    evidence: dispute.evidence.map(({ text, urls, status, sentAt, failureMessage }) => {
      return { text, urls, status, sent_at: sentAt, failure_message: failureMessage };
    }),
  };
}
