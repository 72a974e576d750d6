import { z } from 'zod';
import { requestText, environmentSchema } from '@gateway/contracts/values';
import { idSchema } from '@gateway/money';
import { pageQuery } from '#src/shared/page-query.ts';

/** What takes two operators, named as in the audit trail. */
export const approvalKindSchema = z.enum([
  'account.unfreeze',
  'account.update',
  'adjustment.apply',
  'dead-letter.discard',
  'dispute.resolve',
  'key.issue',
  'payout.resolve',
  'provider.update',
  'refund.resolve',
  'unread-item.dismiss',
]);
export type ApprovalKind = z.infer<typeof approvalKindSchema>;

/**
 * - PROPOSED: waits for another operator; ends as EXPIRED when none decides in time.
 * - APPLYING: approved; being carried out, by the one who approved or after a crash by itself.
 * - APPLIED, REFUSED by another operator, WITHDRAWN by its proposer, EXPIRED: final. REJECTED is what earlier versions
 *   recorded for REFUSED and WITHDRAWN alike.
 * - FAILED: approved, but what it was to do was refused; `failure` says why, and nothing has changed.
 */
export const approvalStateSchema = z.enum([
  'PROPOSED',
  'APPLYING',
  'APPLIED',
  'REFUSED',
  'WITHDRAWN',
  'REJECTED',
  'EXPIRED',
  'FAILED',
]);
export type ApprovalState = z.infer<typeof approvalStateSchema>;

const recordSchema = z.record(z.string(), z.unknown());

/** A change by two operators (api.md 8). Times in Unix seconds. */
export const approvalResourceSchema = z.object({
  id: z.string(),
  object: z.literal('approval'),
  kind: approvalKindSchema,
  /** Null where the change concerns both. */
  environment: environmentSchema.nullable(),
  account_id: z.string().nullable(),
  /**
   * What is changed: the id of an account, an adjustment, a dead letter, a dispute, a payout, a refund or an unread item, or
   * `<environment>/<provider>`.
   */
  target: z.string(),
  /** What was asked for, carried out exactly so. */
  request: recordSchema,
  /** What the request changes, as it was when it was proposed; null where something new is made. */
  before: recordSchema.nullable(),
  reason: z.string().nullable(),
  state: approvalStateSchema,
  proposed_by: z.string(),
  approved_by: z.string().nullable(),
  /** Who approved, refused or withdrew it; null before that, and when it expired. */
  decided_by: z.string().nullable(),
  decision_reason: z.string().nullable(),
  created_at: z.int(),
  expires_at: z.int(),
  decided_at: z.int().nullable(),
  /** Once APPLIED: what the operation would have answered. */
  outcome: recordSchema.nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type ApprovalResource = z.infer<typeof approvalResourceSchema>;

/** The answer of every operation by two operators. */
export const approvalAnswerSchema = z.object({ approval: approvalResourceSchema });

export const approvalsQuerySchema = z.strictObject({
  ...pageQuery('approval'),
  state: approvalStateSchema.optional(),
  kind: approvalKindSchema.optional(),
  account_id: idSchema('account').optional(),
  proposed_by: requestText(1, 120).optional().describe('the name of the operator who proposed it'),
});
export type ApprovalsQuery = z.infer<typeof approvalsQuerySchema>;

/** Why an operator proposes or decides; for the other operators. */
export const operatorReasonSchema = requestText(1, 500);

/** Body of `POST /ops/approvals/{id}/approve|refuse|withdraw`, and of a payout's refusal. */
export const decisionRequestSchema = z.strictObject({ reason: operatorReasonSchema.nullish() }).nullish();
