import { z } from 'zod';

/**
 * Why money on its way back to a payer needs an operator: it is overdue, the provider reports another amount, or
 * contradicts what it reported before.
 */
export const returnAttentionSchema = z.enum(['overdue', 'amount_differs', 'contradiction']);
export type ReturnAttention = z.infer<typeof returnAttentionSchema>;

/** `done`: the payer has it; `failed`: the provider has not sent it and will not. */
export const returnOutcomeSchema = z.enum(['done', 'failed']);
export type ReturnOutcome = z.infer<typeof returnOutcomeSchema>;

/** What two operators have found out about money on its way back to a payer. */
export const returnResolutionSchema = z.object({
  outcome: returnOutcomeSchema,
  evidence: z.string().min(1).max(2_000),
  /** Id of the return on the rail, of one that is done. */
  returnId: z.string().min(1).max(64).nullable(),
  proposedBy: z.string(),
  approvedBy: z.string(),
  /** Of what was decided since it is kept. */
  approvalId: z.string().optional(),
  /** ISO 8601 UTC with milliseconds. */
  resolvedAt: z.string(),
});
export type ReturnResolution = z.infer<typeof returnResolutionSchema>;
