import { z } from 'zod';
import { minorUnitsSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { itemKindSchema, matchRuleSchema, matchStateSchema } from '#src/reconciler/item.ts';

/** ISO 8601 UTC with milliseconds. */
const timeSchema = z.string();
/** `2026-11-22`, in São Paulo. */
const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** A line of a provider's statement, and the match that it belongs to. */
export const lineSchema = z.object({
  provider: z.string(),
  currency: z.string(),
  lineKey: z.string(),
  kind: itemKindSchema,
  amount: minorUnitsSchema,
  bookedAt: timeSchema,
  receivedAt: timeSchema,
  e2eId: z.string().nullable(),
  returnId: z.string().nullable(),
  ourRef: z.string().nullable(),
  counterparty: z.string().nullable(),
  text: z.string().nullable(),
  source: z.enum(['list', 'file']),
  fileId: z.string().nullable(),
  /** Null until it is entered in matching. */
  subject: z.string().nullable(),
  rule: matchRuleSchema.nullable(),
  state: matchStateSchema.nullable(),
  /** As the provider wrote it, or how it begins in a list; bytes that are no text are replaced. */
  raw: z.string().nullable(),
  /** How many bytes the provider has written. */
  rawBytes: z.int().min(0).nullable().default(null),
});
export type ProviderLine = z.infer<typeof lineSchema>;

/** In the order of provider, currency and key; `cursor` is the `nextCursor` of the page before. */
export const listLines = defineRpc({
  subject: 'rpc.reconciler.list-lines.v1',
  owner: 'reconciler',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().max(2_000).optional(),
    provider: z.string().max(60).optional(),
    lineKey: z.string().max(400).optional(),
    state: matchStateSchema.optional(),
    e2eId: z.string().max(64).optional(),
    amount: minorUnitsSchema.optional(),
  }),
  reply: z.object({ lines: z.array(lineSchema), nextCursor: z.string().nullable() }),
});

/** The line of a provider's statement in which a record is. */
export const recordLineSchema = lineSchema
  .pick({ provider: true, currency: true, lineKey: true, amount: true, bookedAt: true, e2eId: true, state: true })
  .extend({ recordId: z.string() });
export type RecordLine = z.infer<typeof recordLineSchema>;

/**
 * Of each live record the line that is about it, where there is one: of several the first that its provider has booked, so that
 * of a payout it is the payout and not what came back of it.
 */
export const listRecordLines = defineRpc({
  subject: 'rpc.reconciler.list-record-lines.v1',
  owner: 'reconciler',
  request: z.object({ records: z.array(z.string().max(120)).min(1).max(200) }),
  reply: z.object({ lines: z.array(recordLineSchema) }),
});

export const statementDayStateSchema = z.enum(['OPEN', 'CLOSED']);

/** A day of a provider's account: opening, what was booked, closing. */
export const statementDaySchema = z.object({
  provider: z.string(),
  currency: z.string(),
  day: daySchema,
  state: statementDayStateSchema,
  opening: minorUnitsSchema,
  /** What was booked on the day, with what came late for days that were closed. */
  lines: minorUnitsSchema,
  /** The share of `lines` that belongs to closed days. */
  late: minorUnitsSchema,
  closing: minorUnitsSchema,
  /** By the provider at the end of the day; null where it was not known. */
  providerBalance: minorUnitsSchema.nullable(),
  /** Sums of what was not explained when it was closed, by sign. */
  unexplainedPlus: z.int().min(0),
  unexplainedMinus: z.int().min(0),
  /** The newest checkpoint that the live ledger had signed when it was closed; null where none was known. */
  checkpoint: z
    .object({ size: z.int().min(0), root: z.string() })
    .nullable()
    .default(null),
  closedAt: timeSchema.nullable(),
  closedBy: z.string().nullable(),
});
export type StatementDay = z.infer<typeof statementDaySchema>;

/** The days of one provider or of all, the newest first: closed ones, and the one that is closed next. */
export const listStatementDays = defineRpc({
  subject: 'rpc.reconciler.list-statement-days.v1',
  owner: 'reconciler',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().max(200).optional(),
    provider: z.string().max(60).optional(),
  }),
  reply: z.object({ days: z.array(statementDaySchema), nextCursor: z.string().nullable() }),
});

/**
 * By an operator, also where the provider's balance differs. Asked again for one that is closed, it is the answer.
 * NOT_FOUND for an account without a statement; INVALID_STATE before the day is over, or while the one before is open.
 */
export const closeStatementDay = defineRpc({
  subject: 'rpc.reconciler.close-statement-day.v1',
  owner: 'reconciler',
  request: z.object({ provider: z.string(), currency: z.string(), day: daySchema, operator: z.string().max(200) }),
  reply: z.object({ day: statementDaySchema }),
});
