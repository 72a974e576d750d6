import { z } from 'zod';
import { depositSchema } from '#src/deposits/deposit.ts';
import { idSchema } from '#src/ids/id.ts';
import { defineEvent } from '#src/messages/define.ts';

/** Every deposit event carries the whole record as it stood when the event became true. */
const payload = z.object({
  id: idSchema('event'),
  /** Unix seconds. */
  occurredAt: z.int(),
  deposit: depositSchema,
});

export const DepositCreated = defineEvent({ subject: 'event.deposits.deposit.created.v1', owner: 'deposits', payload });
export const DepositPaid = defineEvent({ subject: 'event.deposits.deposit.paid.v1', owner: 'deposits', payload });
export const DepositExpired = defineEvent({ subject: 'event.deposits.deposit.expired.v1', owner: 'deposits', payload });
