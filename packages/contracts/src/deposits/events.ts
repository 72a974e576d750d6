import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { depositSchema } from '#src/deposits/deposit.ts';
import { defineEvent } from '#src/messages/define.ts';

/** Every deposit event carries the whole record as it stood when the event became true. */
const payload = z.object({
  id: idSchema('event'),
  /** Unix seconds. */
  occurredAt: z.int(),
  /** At which the charge was made, for what operators are shown. Senders from before name none. */
  provider: z.string().nullish(),
  deposit: depositSchema,
});

export const DepositCreated = defineEvent({ subject: 'event.deposits.deposit.created.v1', owner: 'deposits', payload });
export const DepositPaid = defineEvent({ subject: 'event.deposits.deposit.paid.v1', owner: 'deposits', payload });
export const DepositExpired = defineEvent({ subject: 'event.deposits.deposit.expired.v1', owner: 'deposits', payload });
export const DepositCanceled = defineEvent({
  subject: 'event.deposits.deposit.canceled.v1',
  owner: 'deposits',
  payload,
});
/** The whole amount has gone back to the payer, by refunds or a lost dispute. */
export const DepositRefunded = defineEvent({
  subject: 'event.deposits.deposit.refunded.v1',
  owner: 'deposits',
  payload,
});
/** A transfer arrived with which the charge is not covered yet. One per such transfer; `received` of the record is the sum. */
export const DepositPartiallyPaid = defineEvent({
  subject: 'event.deposits.deposit.partially-paid.v1',
  owner: 'deposits',
  payload,
});
