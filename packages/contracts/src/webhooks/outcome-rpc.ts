import { z } from 'zod';
import { currencySchema, idSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { deliveryStatusSchema, webhookEventSchema } from '#src/webhooks/webhook.ts';

/** Something that happened to a record, of which its account's endpoints are informed. */
export const recordEventSchema = z.object({
  accountId: z.string(),
  recordId: z.string(),
  event: webhookEventSchema,
  currency: currencySchema,
  /** When it had happened, Unix milliseconds. */
  atMs: z.int(),
});
export type RecordEvent = z.infer<typeof recordEventSchema>;

/**
 * Why an endpoint has no delivery of an event, and need not have one: it does not want events of this name, it is
 * disabled, it is what it is only since later, or its format has no body for it.
 */
const noDeliverySchema = z.enum(['not_wanted', 'disabled', 'since_later', 'not_in_format']);

const outcomeSchema = z.object({
  recordId: z.string(),
  event: webhookEventSchema,
  destinations: z.array(
    z.object({
      endpointId: idSchema('webhook'),
      /** Of the newest delivery; null where there is none. */
      status: deliveryStatusSchema.nullable(),
      /** Why there need not be any. Null beside a status of null: a delivery is missing. */
      reason: noDeliverySchema.nullable(),
    }),
  ),
});
export type RecordEventOutcome = z.infer<typeof outcomeSchema>;

export const outcomesMax = 400;

/** What became of events at the endpoints that their accounts have now, in the order in which they are asked for. */
export const listOutcomes = defineRpc({
  subject: 'rpc.webhooks.list-outcomes.v1',
  owner: 'webhooks',
  callers: ['reconciler'],
  request: z.object({ environment: environmentSchema, events: z.array(recordEventSchema).max(outcomesMax) }),
  reply: z.object({ outcomes: z.array(outcomeSchema) }),
});
