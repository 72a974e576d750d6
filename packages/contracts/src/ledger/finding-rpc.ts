import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { reconciliationCheckSchema, reconciliationSchema } from '#src/ledger/rpc.ts';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';

const checkNameSchema = reconciliationCheckSchema.shape.name;

/** Its place among the findings of a check: `live.1` is the first of that environment. */
export const findingIdSchema = z.string().regex(/^(?:live|test)\.[1-9]\d{0,5}$/);

/** One thing that a check of a reconciliation found to be wrong. */
export const findingSchema = z.object({
  id: findingIdSchema,
  environment: environmentSchema,
  /** `balance_differs`, `numbering_breaks`: what is wrong. */
  kind: z.string(),
  text: z.string(),
  recordId: z.string().nullable(),
  entryId: z.string().nullable(),
  accountId: z.string().nullable(),
  provider: z.string().nullable(),
  currency: z.string().nullable(),
  /** What follows from the rows, and what is there; amounts in minor units. */
  expected: z.string().nullable(),
  found: z.string().nullable(),
  /** What an operator has written beside it. */
  note: z.object({ text: z.string(), by: z.string(), at: z.int() }).nullable(),
});
export type ReconciliationFinding = z.infer<typeof findingSchema>;

const ofCheck = { id: z.string().max(120), name: checkNameSchema };

/**
 * What a check found, in its order, live first; the first 1,000 of each environment are kept. Runs of earlier versions have
 * none. NOT_FOUND for a reconciliation that is not there; a cursor is the id of a finding.
 */
export const listFindings = defineRpc({
  subject: 'rpc.ledger.list-findings.v1',
  owner: 'ledger',
  request: z.object({
    ...ofCheck,
    environment: environmentSchema.optional(),
    limit: z.int().min(1).max(200),
    cursor: findingIdSchema.optional(),
  }),
  reply: z.object({ findings: z.array(findingSchema), nextCursor: z.string().nullable() }),
});

/** Writes beside a finding what an operator has found out; a later note takes its place. NOT_FOUND without such a finding. */
export const noteFinding = defineRpc({
  subject: 'rpc.ledger.note-finding.v1',
  owner: 'ledger',
  request: z.object({
    ...ofCheck,
    finding: findingIdSchema,
    note: z.string().min(1).max(2_000),
    by: z.string().min(1).max(200),
  }),
  reply: z.object({ before: findingSchema, after: findingSchema }),
});

/**
 * Operators answer for a reconciliation: one where everything agrees, two where something does not. It is signed off once;
 * asked again under the same approval, or by the same operator, it is the answer. NOT_FOUND; INVALID_STATE for one that others
 * have signed off.
 */
export const signOffReconciliation = defineRpc({
  subject: 'rpc.ledger.sign-off-reconciliation.v1',
  owner: 'ledger',
  request: z.object({
    id: idSchema('reconciliation'),
    /** Both, where it takes two. */
    by: z.string().min(1).max(401),
    reason: z.string().min(1).max(2_000),
    approvalId: z.string().max(64).nullable(),
  }),
  reply: z.object({ before: reconciliationSchema, after: reconciliationSchema }),
});
