import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { operatorPayoutSchema, resolutionOutcomeSchema } from '#src/payouts/operator-payout.ts';
import { payoutKindSchema, payoutStatusSchema } from '#src/payouts/payout.ts';
import { moneyInFlightSchema } from '#src/providers/provider-balance.ts';
import { recordFilter } from '#src/values/record-filter.ts';
import { requestText } from '#src/values/request-text.ts';

const act = { id: z.string(), operator: z.string().min(1) };
const change = { before: operatorPayoutSchema, payout: operatorPayoutSchema };

/** A page of the payouts of all accounts, newest first. An unknown cursor is a VALIDATION_ERROR naming `cursor`. */
export const listOperatorPayouts = defineRpc({
  subject: 'rpc.payouts.list-operator-payouts.v1',
  owner: 'payouts',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: idSchema('payout').optional(),
    ...recordFilter,
    status: payoutStatusSchema.optional(),
    kind: payoutKindSchema.optional(),
    /** CPF, CNPJ or RFC of the recipient. */
    recipientDocument: requestText(1, 20).optional(),
    /** The PIX key or account number that is paid to. */
    key: requestText(1, 120).optional(),
    /** Only those that need an operator to go on. */
    attention: z.boolean().optional(),
  }),
  reply: z.object({ payouts: z.array(operatorPayoutSchema), nextCursor: z.string().nullable() }),
});

/**
 * Lets a PENDING payout go its way. Refuses INVALID_STATE for any other; under the id of an approval, one that the same
 * operator has let go is answered as it is, so that a call whose answer was lost can be made again.
 */
export const approvePayout = defineRpc({
  subject: 'rpc.payouts.approve-payout.v1',
  owner: 'payouts',
  request: z.object({ ...act, approvalId: z.string().optional() }),
  reply: z.object(change),
});

/** Ends a PENDING payout and gives amount and fee back. Refuses INVALID_STATE for any other. */
export const refusePayout = defineRpc({
  subject: 'rpc.payouts.refuse-payout.v1',
  owner: 'payouts',
  /** The reason is for operators; the merchant sees that an operator refused. */
  request: z.object({ ...act, reason: z.string().min(1).max(500).nullable().default(null) }),
  reply: z.object(change),
});

/** The payout as operators see it, of whichever account. */
export const getOperatorPayout = defineRpc({
  subject: 'rpc.payouts.get-operator-payout.v1',
  owner: 'payouts',
  request: z.object({ id: z.string() }),
  reply: z.object({ payout: operatorPayoutSchema }),
});

/**
 * Records the outcome that two operators have found of a PROCESSING payout, or of one that has ended and needs
 * attention: `operator` confirms the proposal of another. Of a PAID one `failed` says that what is left of it is back
 * with us, and credits it. Asking again under the same approval answers with the payout as it is. Refuses INVALID_STATE
 * for any other payout and for one that is no longer what it was when that was proposed, and SECOND_PERSON_REQUIRED
 * without a proposal of another operator.
 */
export const resolvePayout = defineRpc({
  subject: 'rpc.payouts.resolve-payout.v1',
  owner: 'payouts',
  request: z.object({
    ...act,
    outcome: resolutionOutcomeSchema,
    /** What the second operator found. */
    evidence: z.string().min(1).max(2_000),
    /** Gateways from before there were approvals send none, and are refused. */
    proposal: z
      .object({
        approvalId: idSchema('approval'),
        operator: z.string().min(1),
        evidence: z.string().min(1).max(2_000),
        /** ISO 8601 UTC with milliseconds. */
        at: z.string(),
        /** What the payout was then: of one that is something else now, the outcome says something else. */
        status: payoutStatusSchema.optional(),
      })
      .nullable()
      .default(null),
  }),
  reply: z.object({ status: z.enum(['PROPOSED', 'APPLIED']), ...change }),
});

/** What live payouts explain of a difference between a provider's balance and the ledger. */
export const getPayoutsInFlight = defineRpc({
  subject: 'rpc.payouts.get-payouts-in-flight.v1',
  owner: 'payouts',
  callers: ['deposits'],
  request: z.object({}),
  reply: z.object({ inFlight: z.array(moneyInFlightSchema) }),
});

/**
 * Asks the provider now what has become of a payout, and follows its answer. INVALID_STATE for one that no provider has yet.
 */
export const lookUpPayout = defineRpc({
  subject: 'rpc.payouts.look-up-payout.v1',
  owner: 'payouts',
  request: z.object({ id: z.string() }),
  reply: z.object(change),
});
