import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { refundSchema } from '#src/deposits/refund.ts';
import { apiVersionSchema } from '#src/values/environment.ts';
import { defineEvent } from '#src/messages/define.ts';

/** Every refund event carries the whole record as it stood when the event became true. */
const payload = z.object({
  id: idSchema('event'),
  /** Unix seconds. */
  occurredAt: z.int(),
  refund: refundSchema,
  /** The deposit's callback URL and the contract of its calls; null without one. */
  callback: z.object({ url: z.string(), apiVersion: apiVersionSchema }).nullable(),
});

/** The money has gone back to the payer. */
export const RefundDone = defineEvent({ subject: 'event.deposits.refund.done.v1', owner: 'deposits', payload });
/** The provider would not send it back; it is in the merchant's balance again. */
export const RefundFailed = defineEvent({ subject: 'event.deposits.refund.failed.v1', owner: 'deposits', payload });
