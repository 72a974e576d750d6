import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { disputeSchema } from '#src/deposits/dispute.ts';
import { apiVersionSchema } from '#src/values/environment.ts';
import { defineEvent } from '#src/messages/define.ts';

/** Every dispute event carries the whole record as it stood when the event became true. */
const payload = z.object({
  id: idSchema('event'),
  /** Unix seconds. */
  occurredAt: z.int(),
  dispute: disputeSchema,
  /** The deposit's callback URL and the contract of its calls; null without one. */
  callback: z.object({ url: z.string(), apiVersion: apiVersionSchema }).nullable().default(null),
});

export const DisputeOpened = defineEvent({ subject: 'event.deposits.dispute.opened.v1', owner: 'deposits', payload });
/** The merchant has sent evidence, or the provider says that it is looking at the dispute. */
export const DisputeContested = defineEvent({
  subject: 'event.deposits.dispute.contested.v1',
  owner: 'deposits',
  payload,
});
export const DisputeWon = defineEvent({ subject: 'event.deposits.dispute.won.v1', owner: 'deposits', payload });
export const DisputeLost = defineEvent({ subject: 'event.deposits.dispute.lost.v1', owner: 'deposits', payload });
