import { z } from 'zod';
import { idSchema, amountSchema, currencySchema } from '@gateway/money';
import {
  disputeEntrySchema,
  disputeResolutionSchema,
  disputeSchema,
  disputeStatusSchema,
  evidenceFilesMax,
  operatorDisputeSchema,
  storedFileSchema,
} from '#src/deposits/dispute.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { shownIn, shownPageSchema } from '#src/values/shown-page.ts';
import { defineRpc } from '#src/messages/define.ts';
import { recordFilter } from '#src/values/record-filter.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };
const reply = z.object({ dispute: disputeSchema });

export const getDispute = defineRpc({
  subject: 'rpc.deposits.get-dispute.v1',
  owner: 'deposits',
  request: z.object({ ...owner, id: z.string() }),
  reply,
});

/** A page of disputes. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listDisputes = defineRpc({
  subject: 'rpc.deposits.list-disputes.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    status: disputeStatusSchema.optional(),
    depositId: z.string().optional(),
    /** Only those that are not decided and whose evidence is due before that time, Unix seconds to the millisecond. */
    dueBefore: z.number().nonnegative().optional(),
    ...listWindow,
  }),
  reply: z.object({ disputes: z.array(disputeSchema), nextCursor: z.string().nullable() }),
});

/** The same as it is shown. */
export const showDisputes = defineRpc({
  subject: 'rpc.deposits.show-disputes.v1',
  owner: 'deposits',
  request: listDisputes.request.extend(shownIn),
  reply: shownPageSchema,
});

/** A page of the disputes of all accounts, newest first. An unknown cursor is a VALIDATION_ERROR naming `cursor`. */
export const listOperatorDisputes = defineRpc({
  subject: 'rpc.deposits.list-operator-disputes.v1',
  owner: 'deposits',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    /** `externalId` and `e2eId` are those of the deposit and its payment. */
    ...recordFilter,
    status: disputeStatusSchema.optional(),
    depositId: idSchema('deposit').optional(),
    /** Only those whose evidence is due before that time, Unix seconds, and that are not decided. */
    dueBefore: z.number().nonnegative().optional(),
    /** Only those that need an operator to go on. */
    attention: z.boolean().optional(),
  }),
  reply: z.object({ disputes: z.array(operatorDisputeSchema), nextCursor: z.string().nullable() }),
});

/** A dispute of any account, by its id. */
export const getOperatorDispute = defineRpc({
  subject: 'rpc.deposits.get-operator-dispute.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: z.object({ dispute: operatorDisputeSchema }),
});

/** What a dispute is about that is entered by hand; the payment by its deposit, its end-to-end id, or both. */
const enteredSchema = z.object({
  environment: environmentSchema,
  depositId: idSchema('deposit').optional(),
  e2eId: z.string().optional(),
  /** Minor units. */
  amount: amountSchema,
  /** How the provider names it. */
  disputeRef: z.string().min(1).max(64),
  /** When the provider opened it: ISO 8601 UTC. */
  openedAt: z.string(),
});

/**
 * The payment that a dispute is about which would be entered by hand. Refused is what `enterDispute` would refuse:
 * NOT_FOUND for a payment that is not there; VALIDATION_ERROR for one of the other environment, and for more than is left
 * of it; INVALID_STATE where its provider reports disputes itself, or where the dispute is on record.
 */
export const findContestedPayment = defineRpc({
  subject: 'rpc.deposits.find-contested-payment.v1',
  owner: 'deposits',
  request: enteredSchema,
  reply: z.object({
    accountId: idSchema('account'),
    depositId: idSchema('deposit'),
    provider: z.string(),
    e2eId: z.string(),
    currency: currencySchema,
  }),
});

/**
 * Opens a dispute that two operators know of by other means than the provider's interface: as one that its provider reports,
 * it blocks the money. One that was entered under the same approval is answered as it is.
 */
export const enterDispute = defineRpc({
  subject: 'rpc.deposits.enter-dispute.v1',
  owner: 'deposits',
  request: z.object({
    ...enteredSchema.shape,
    reason: disputeSchema.shape.reason,
    /** Until when the provider takes evidence: ISO 8601 UTC; null where it names no time. */
    dueAt: z.string().nullable(),
    ...disputeEntrySchema.omit({ enteredAt: true }).shape,
  }),
  reply: z.object({ dispute: operatorDisputeSchema }),
});

/**
 * Ends the contradiction of a dispute as two operators have found out. One that was ended under the same approval is
 * answered as it is; INVALID_STATE for any other that is not contradicted, and was not entered by hand.
 */
export const resolveDispute = defineRpc({
  subject: 'rpc.deposits.resolve-dispute.v1',
  owner: 'deposits',
  request: z.object({
    id: z.string(),
    ...disputeResolutionSchema.omit({ resolvedAt: true }).shape,
    /** ISO 8601 UTC with milliseconds; gateways of an older release send none. */
    proposedAt: z.string().nullable().default(null),
  }),
  /** `after` is the record of the next round where one that was won is lost after all. */
  reply: z.object({ before: operatorDisputeSchema, after: operatorDisputeSchema }),
});

/** An operator has handed a dispute's evidence to its provider by hand. INVALID_STATE where none waits for that. */
export const confirmEvidence = defineRpc({
  subject: 'rpc.deposits.confirm-evidence.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: z.object({ before: operatorDisputeSchema, dispute: operatorDisputeSchema }),
});

/** The merchant's defence: UNDER_ANALYSIS. INVALID_STATE once the dispute is decided. */
export const submitEvidence = defineRpc({
  subject: 'rpc.deposits.submit-evidence.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    id: z.string(),
    text: z.string().min(1),
    urls: z.array(z.string()),
    files: z.array(storedFileSchema).max(evidenceFilesMax).default([]),
  }),
  reply,
});

/** Test environment only: the payer contests a payment, whole (`amount` null: what has not gone back) or in part. */
export const simulateDispute = defineRpc({
  subject: 'rpc.deposits.simulate-dispute.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    environment: z.literal('test'),
    depositId: z.string(),
    amount: amountSchema.nullable(),
  }),
  reply,
});

/** Test environment only: decides a dispute; one that is decided so already is answered as it is. */
export const simulateDisputeResult = defineRpc({
  subject: 'rpc.deposits.simulate-dispute-result.v1',
  owner: 'deposits',
  request: z.object({ ...owner, environment: z.literal('test'), id: z.string(), result: z.enum(['won', 'lost']) }),
  reply,
});

/** The text of a piece of evidence, for the document a provider fetches. */
export const getEvidenceText = defineRpc({
  subject: 'rpc.deposits.get-evidence-text.v1',
  owner: 'deposits',
  request: z.object({ ...owner, evidenceId: z.string() }),
  reply: z.object({
    text: z.string(),
    disputeId: idSchema('dispute'),
    /** Of the contested payment. */
    e2eId: z.string(),
    /** ISO 8601 UTC with milliseconds. */
    createdAt: z.string(),
  }),
});
