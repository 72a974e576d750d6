import { z } from 'zod';
import { payoutSchema } from '#src/payouts/payout.ts';

export const resolutionOutcomeSchema = z.enum(['paid', 'failed']);

/** The outcome of a payout as two operators have found it out, where the provider does not report it. */
export const payoutResolutionSchema = z.object({
  /** The approval of the two operators; null for payouts from before there were approvals. */
  approvalId: z.string().nullable().default(null),
  outcome: resolutionOutcomeSchema,
  proposedBy: z.string(),
  evidence: z.string(),
  /** ISO 8601 UTC with milliseconds. */
  proposedAt: z.string(),
  /** The second operator; null as long as there is none, and nothing has been done. */
  confirmedBy: z.string().nullable(),
  /** What the second operator found. */
  confirmation: z.string().nullable(),
});
export type PayoutResolution = z.infer<typeof payoutResolutionSchema>;

/** Calls of one provider that came to the same, and after which another call was made, or none. */
export const failedCallsSchema = z.object({
  provider: z.string(),
  /** `unknown`: the provider may have taken it. */
  outcome: z.enum(['refused', 'not_sent', 'unknown']),
  /** Of a refusal: the failure reason. */
  reason: z.string().nullable(),
  /** What the provider says, or how the last of the calls went wrong. */
  message: z.string().nullable(),
  times: z.int(),
  /** ISO 8601 UTC with milliseconds. */
  firstAt: z.string(),
  lastAt: z.string(),
});
export type FailedCalls = z.infer<typeof failedCallsSchema>;

/** A payout with what only operators see of it. */
export const operatorPayoutSchema = payoutSchema.extend({
  provider: z.string(),
  /** Our reference at the provider. */
  reference: z.string(),
  providerRef: z.string().nullable(),
  /** W3C trace id of the call that created it; null where none was recorded. */
  traceId: z.string().nullable().default(null),
  /** How often the provider has been asked what became of it. */
  lookups: z.int(),
  /** ISO 8601; since when it takes an operator to go on, null when it does not. */
  attentionAt: z.string().nullable(),
  /** Why; what is listed here may grow. */
  attentionReason: z.string().nullable().default(null),
  /** Who approved or refused it. */
  decidedBy: z.string().nullable(),
  /** Why, in the words of that operator. */
  decisionReason: z.string().nullable().default(null),
  /** Why it failed or was refused last, in the words of the provider. */
  providerMessage: z.string().nullable().default(null),
  failedCalls: z.array(failedCallsSchema).default([]),
  /** Providers that have paid it besides the one that has it: the money has left twice. */
  alsoPaidBy: z.array(z.string()).default([]),
  resolution: payoutResolutionSchema.nullable(),
});
export type OperatorPayout = z.infer<typeof operatorPayoutSchema>;
