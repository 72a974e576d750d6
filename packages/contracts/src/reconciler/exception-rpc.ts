import { z } from 'zod';
import { idSchema, minorUnitsSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { exceptionReasonSchema, exceptionStateSchema } from '#src/reconciler/exception.ts';
import { itemKindSchema, sideSchema } from '#src/reconciler/item.ts';
import { lineSchema } from '#src/reconciler/line-rpc.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** ISO 8601 UTC with milliseconds. */
const timeSchema = z.string();

/**
 * What is done about an exception:
 * - `match`: a line is given to the record that it belongs to;
 * - `foreign`: a line is about nothing that the gateway does for its merchants;
 * - `declare`: two operators state what it is. A line that stands alone is booked as a transfer of our own, or as a fee of the
 *   provider, where `with` says so; a line that is an own transfer already is booked without it. Else nothing is booked;
 * - `adjust`: the available balance of an account is corrected;
 * - `refund`: the money is sent back.
 */
export const resolutionActionSchema = z.enum(['match', 'foreign', 'declare', 'adjust', 'refund']);
export type ResolutionAction = z.infer<typeof resolutionActionSchema>;

export const resolutionSchema = z.object({
  action: resolutionActionSchema,
  note: z.string(),
  /** With `match`: the subject of the record, or the key of the line. With `declare`: what the line is booked as. */
  with: z.string().nullable(),
});
export type Resolution = z.infer<typeof resolutionSchema>;

/** What a line that stands alone is booked as when two operators declare it. */
export interface DeclaredLine {
  readonly kind: 'own_transfer' | 'provider_fee';
  readonly lineId: string;
  /** Signed as at the provider. */
  readonly amount: number;
}

/** Whether a declaration books the line, for who resolves the exception and for who books it: both have to agree. */
export function declaredLine(
  { action, with: wanted }: Pick<Resolution, 'action' | 'with'>,
  {
    subject,
    lineAmount: amount,
    recordAmount,
    ledgerAmount,
  }: Pick<ReconciliationException, 'subject' | 'lineAmount' | 'recordAmount' | 'ledgerAmount'>,
): DeclaredLine | undefined {
  const [, itsKind, lineId] = /^line:(\w+):(.+)$/s.exec(subject) ?? [];
  const kind = wanted ?? (itsKind === 'own_transfer' ? itsKind : null);
  if (action !== 'declare' || lineId === undefined || amount === 0) return undefined;
  if (recordAmount !== 0 || ledgerAmount !== 0) return undefined;
  return kind === 'own_transfer' || kind === 'provider_fee' ? { kind, lineId, amount } : undefined;
}

export const exceptionSchema = z.object({
  id: idSchema('exception'),
  environment: environmentSchema,
  provider: z.string(),
  currency: z.string(),
  /** The match that it is about: `payment:dep_…`, `line:payment:…`. */
  subject: z.string(),
  reason: exceptionReasonSchema,
  /** The whole item where a side is missing, else the difference; signed as at the provider. */
  amount: minorUnitsSchema,
  lineAmount: minorUnitsSchema,
  recordAmount: minorUnitsSchema,
  ledgerAmount: minorUnitsSchema,
  accountId: z.string().nullable(),
  state: exceptionStateSchema,
  openedAt: timeSchema,
  /** With the approval of the gateway that it stands for, which alone is carried out. */
  proposal: resolutionSchema.extend({ approvalId: z.string().nullable().default(null) }).nullable(),
  proposedBy: z.string().nullable(),
  resolvedBy: z.string().nullable(),
  resolvedAt: timeSchema.nullable(),
});
export type ReconciliationException = z.infer<typeof exceptionSchema>;

/** What a record, or the ledger, says. */
export const factSchema = z.object({
  side: sideSchema.exclude(['P']),
  key: z.string(),
  kind: itemKindSchema,
  amount: minorUnitsSchema,
  occurredAt: timeSchema,
  accountId: z.string().nullable(),
  recordId: z.string().nullable(),
  commandId: z.string().nullable(),
  /** Of the link in the ledger's chain, and its hash in hexadecimal. */
  sequence: z.int().nullable(),
  hash: z.string().nullable(),
  e2eId: z.string().nullable(),
  returnId: z.string().nullable(),
  ourRef: z.string().nullable(),
  counterparty: z.string().nullable(),
});
export type ExceptionFact = z.infer<typeof factSchema>;

/** Something of the same amount and moment that is not explained either; people decide whether it belongs here. */
export const candidateSchema = z.object({
  subject: z.string(),
  kind: itemKindSchema,
  amount: minorUnitsSchema,
  occurredAt: timeSchema,
  accountId: z.string().nullable(),
  e2eId: z.string().nullable(),
  counterparty: z.string().nullable(),
  /** With `match`: what `with` is. */
  with: z.string(),
});
export type ExceptionCandidate = z.infer<typeof candidateSchema>;

/** Newest first. A cursor that is no exception is a VALIDATION_ERROR naming `cursor`. */
export const listExceptions = defineRpc({
  subject: 'rpc.reconciler.list-exceptions.v1',
  owner: 'reconciler',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().max(40).optional(),
    state: exceptionStateSchema.optional(),
    provider: z.string().max(60).optional(),
    reason: exceptionReasonSchema.optional(),
    accountId: z.string().max(40).optional(),
  }),
  reply: z.object({ exceptions: z.array(exceptionSchema), nextCursor: z.string().nullable() }),
});

/** With all that its sides say. */
export const getException = defineRpc({
  subject: 'rpc.reconciler.get-exception.v1',
  owner: 'reconciler',
  request: z.object({ id: z.string().max(40) }),
  reply: z.object({
    exception: exceptionSchema,
    lines: z.array(lineSchema),
    facts: z.array(factSchema),
    candidates: z.array(candidateSchema),
  }),
});

/** What an approval says of the exception that it resolves. */
const decisionShape = {
  id: idSchema('exception'),
  /** The approval of the gateway by which two operators decide. */
  approvalId: z.string().max(40),
  resolution: resolutionSchema,
  proposedBy: z.string().max(200),
};

/**
 * Shows that an operator proposes it; nothing is decided. It takes the place of a proposal that was there. INVALID_STATE
 * for one that is resolved or explained, or where the action does not fit its sides; VALIDATION_ERROR naming `with`.
 */
export const proposeResolution = defineRpc({
  subject: 'rpc.reconciler.propose-resolution.v1',
  owner: 'reconciler',
  request: z.object(decisionShape),
  reply: z.object({ exception: exceptionSchema }),
});

/**
 * Another operator has approved it, for the sums that `seen` has. Asked again under the same approval it is the answer.
 * INVALID_STATE when the sides say something else by now, or it was resolved otherwise.
 */
export const resolveException = defineRpc({
  subject: 'rpc.reconciler.resolve-exception.v1',
  owner: 'reconciler',
  request: z.object({
    ...decisionShape,
    approvedBy: z.string().max(200),
    seen: exceptionSchema.pick({ lineAmount: true, recordAmount: true, ledgerAmount: true }),
  }),
  reply: z.object({ exception: exceptionSchema }),
});

/**
 * What was proposed, or approved and then refused where it was carried out, is not done: the exception is open again.
 * Nothing is changed where another approval is under way or nothing is proposed.
 */
export const reopenException = defineRpc({
  subject: 'rpc.reconciler.reopen-exception.v1',
  owner: 'reconciler',
  request: z.object({ id: idSchema('exception'), approvalId: z.string().max(40) }),
  reply: z.object({ exception: exceptionSchema }),
});

/** Opens exceptions for what is late and closes the days that are complete, now. */
export const sweepMatches = defineRpc({
  subject: 'rpc.reconciler.sweep-matches.v1',
  owner: 'reconciler',
  request: z.object({}),
  reply: z.object({}),
});
