import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { defineEvent } from '#src/messages/define.ts';
import { payoutReturnSchema } from '#src/payouts/payout-return.ts';
import { payoutSchema } from '#src/payouts/payout.ts';

/** Every payout event carries the whole record as it stood when the event became true. */
const payload = z.object({
  id: idSchema('event'),
  /** Unix seconds. */
  occurredAt: z.int(),
  /** Which was asked last to pay it, for what operators are shown. Senders from before name none. */
  provider: z.string().nullish(),
  payout: payoutSchema,
});

/** Debited, and waits for an operator's approval. */
export const PayoutPending = defineEvent({ subject: 'event.payouts.payout.pending.v1', owner: 'payouts', payload });
export const PayoutProcessing = defineEvent({
  subject: 'event.payouts.payout.processing.v1',
  owner: 'payouts',
  payload,
});
export const PayoutPaid = defineEvent({ subject: 'event.payouts.payout.paid.v1', owner: 'payouts', payload });
export const PayoutFailed = defineEvent({ subject: 'event.payouts.payout.failed.v1', owner: 'payouts', payload });
/** Ended by its merchant or an operator before it set out; amount and fee are back. */
export const PayoutCanceled = defineEvent({ subject: 'event.payouts.payout.canceled.v1', owner: 'payouts', payload });
/** A part, or all, of a PAID payout came back and is in the balance. One event per part. */
export const PayoutReturned = defineEvent({
  subject: 'event.payouts.payout.returned.v1',
  owner: 'payouts',
  /** `payout.returned` is what has come back so far, with this part. Senders from before parts had ids name none. */
  payload: payload.extend({ return: payoutReturnSchema.nullable().default(null) }),
});
