import { z } from 'zod';
import { idSchema, currencySchema, amountSchema, minorUnitsSchema } from '@gateway/money';
import { evidenceFailureSchema } from '#src/deposits/evidence-failure.ts';
import { environmentSchema } from '#src/values/environment.ts';

export const disputeStatusSchema = z.enum(['OPEN', 'UNDER_ANALYSIS', 'WON', 'LOST']).meta({
  id: 'DisputeStatus',
  description:
    '`OPEN`: wants evidence. `UNDER_ANALYSIS`: evidence was submitted. `WON`: the amount is available again. `LOST`: it ' +
    'went back to the payer.',
});
export type DisputeStatus = z.infer<typeof disputeStatusSchema>;

/**
 * - WAITING: not handed over yet.
 * - SENT: handed over; the provider has not confirmed it.
 * - ACCEPTED: the provider has it.
 * - REFUSED: the provider refused it, or the dispute was decided before.
 */
export const evidenceStatusSchema = z.enum(['WAITING', 'SENT', 'ACCEPTED', 'REFUSED']).meta({
  id: 'EvidenceStatus',
  description:
    '`WAITING`: not handed over yet. `SENT`: handed over, not confirmed. `ACCEPTED`: the provider has it. `REFUSED`: the ' +
    'provider refused it, or the dispute was decided before.',
});
export type EvidenceStatus = z.infer<typeof evidenceStatusSchema>;

/** A file of evidence as it was stored: what it contains never changes. */
export const storedFileSchema = z.object({
  id: idSchema('file'),
  name: z.string(),
  mediaType: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

/** Of one submission. */
export const evidenceFilesMax = 5;

/** KEPT: the provider takes no evidence over its interface, and an operator hands the file over. */
export const fileStatusSchema = z.enum(['WAITING', 'SENT', 'REFUSED', 'KEPT']).meta({
  id: 'EvidenceFileStatus',
  description:
    '`WAITING`: not handed over yet. `SENT`: the provider has it. `REFUSED`: the provider refused it, or the dispute was ' +
    'decided before. `KEPT`: the provider takes no files over its interface, and an operator hands it over.',
});

/** What a merchant handed in against a dispute, and its state at the provider. */
export const evidenceSchema = z.object({
  text: z.string(),
  urls: z.array(z.string()),
  files: z.array(storedFileSchema.extend({ status: fileStatusSchema })).default([]),
  status: evidenceStatusSchema,
  /** ISO 8601 UTC with milliseconds; when it was last handed over. */
  sentAt: z.string().nullable(),
  failureReason: evidenceFailureSchema.nullable().default(null),
  /** The reason in English, for readers that know it by no other name. */
  failureMessage: z.string().nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** A payer's contestation of a payment (MED), as the services know it; presenters give it its public shape. */
export const disputeSchema = z.object({
  id: idSchema('dispute'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  depositId: idSchema('deposit'),
  /** The deposit's. */
  externalId: z.string(),
  /** Of the contested payment. */
  e2eId: z.string(),
  currency: currencySchema,
  /** What is contested. */
  amount: amountSchema,
  /** What is held for it at this moment. */
  blocked: minorUnitsSchema,
  /** What has gone back to the payer. */
  returned: minorUnitsSchema,
  reason: z.enum(['FRAUD', 'OPERATIONAL_FLAW']).nullable(),
  status: disputeStatusSchema,
  /** These three: ISO 8601 UTC with milliseconds. */
  openedAt: z.string(),
  /** Until when evidence is accepted, as far as the provider reports it. */
  defenseDueAt: z.string().nullable(),
  resolvedAt: z.string().nullable(),
  /** Oldest first. */
  evidence: z.array(evidenceSchema).default([]),
});
export type Dispute = z.infer<typeof disputeSchema>;

/**
 * Why a dispute needs an operator: a step is overdue, its provider contradicts what it reported before, or evidence has
 * to be handed over by hand.
 */
export const disputeAttentionSchema = z.enum(['overdue', 'contradiction', 'evidence']);
export type DisputeAttention = z.infer<typeof disputeAttentionSchema>;

/** `stands`: the record is right as it is; `won` and `lost`: it was decided so after all. */
export const disputeOutcomeSchema = z.enum(['stands', 'won', 'lost']);
export type DisputeOutcome = z.infer<typeof disputeOutcomeSchema>;

/** What two operators have decided about a dispute whose provider contradicted itself, or reports none. */
export const disputeResolutionSchema = z.object({
  outcome: disputeOutcomeSchema,
  evidence: z.string().min(1).max(2_000),
  /** Of one that is lost in part: what goes back; null for all of it. */
  lostAmount: amountSchema.nullable(),
  approvalId: z.string(),
  proposedBy: z.string(),
  approvedBy: z.string(),
  /** ISO 8601 UTC with milliseconds. */
  resolvedAt: z.string(),
});
export type DisputeResolution = z.infer<typeof disputeResolutionSchema>;

/** By whom a dispute was entered that its provider reports over no interface, and what they know it by. */
export const disputeEntrySchema = z.object({
  evidence: z.string().min(1).max(2_000),
  approvalId: z.string(),
  proposedBy: z.string(),
  approvedBy: z.string(),
  /** When its provider opened it, and when it was entered: ISO 8601 UTC with milliseconds. */
  openedAt: z.string(),
  enteredAt: z.string(),
});
export type DisputeEntry = z.infer<typeof disputeEntrySchema>;

/** A dispute with what only operators see of it. */
export const operatorDisputeSchema = disputeSchema.extend({
  /** With what the provider says of one that it refused, in its own words. */
  evidence: z.array(evidenceSchema.extend({ providerMessage: z.string().nullable().default(null) })).default([]),
  provider: z.string(),
  /** How the provider names it. */
  disputeRef: z.string(),
  /** W3C trace id of the call or the report that opened it; null where none was recorded. */
  traceId: z.string().nullable().default(null),
  /** What later credits still have to pay. */
  shortfall: minorUnitsSchema,
  /** What the provider has decided, from when we know of it, and whether the ledger has carried it out. */
  verdict: z.enum(['won', 'lost']).nullable(),
  /** ISO 8601; since when the ledger is asked for a step it has not answered. */
  stepSince: z.string().nullable(),
  attentionAt: z.string().nullable(),
  attention: disputeAttentionSchema.nullable(),
  resolution: disputeResolutionSchema.nullable().default(null),
  /** Null for one that its provider reported. */
  entry: disputeEntrySchema.nullable().default(null),
  /** What two operators may state of it as it is. */
  outcomes: z.array(disputeOutcomeSchema).default([]),
});
export type OperatorDispute = z.infer<typeof operatorDisputeSchema>;

/** What a link token to a piece of evidence is signed for. */
export function evidenceResource(evidenceId: string): string {
  return `dispute-evidence ${evidenceId}`;
}
