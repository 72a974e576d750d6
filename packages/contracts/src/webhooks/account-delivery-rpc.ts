import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';
import {
  deliveryDetailSchema,
  deliverySchema,
  deliveryStatusSchema,
  webhookEventSchema,
  webhookSchema,
} from '#src/webhooks/webhook.ts';

/** The account a delivery is of; without an environment, in either of them. */
const owner = { environment: environmentSchema.optional(), accountId: idSchema('account') };

const ownedBy = { environment: environmentSchema, accountId: idSchema('account') };

/**
 * Deliveries to all webhooks and callback URLs, newest first: of one record, or of one account. Those to a callback URL,
 * or to a webhook that was removed, are found as long as their bodies are kept, and only by their record.
 */
export const findDeliveries = defineRpc({
  subject: 'rpc.webhooks.find-deliveries.v1',
  owner: 'webhooks',
  request: z
    .object({
      environment: environmentSchema.optional(),
      accountId: idSchema('account').optional(),
      dataId: z.string().optional(),
      status: deliveryStatusSchema.optional(),
      event: webhookEventSchema.optional(),
      limit: z.int().min(1).max(200),
      cursor: z.string().optional(),
    })
    .refine(({ accountId, dataId }) => (accountId ?? dataId) !== undefined, 'needs accountId or dataId'),
  reply: z.object({ deliveries: z.array(deliverySchema.extend(ownedBy)), nextCursor: z.string().nullable() }),
});

/**
 * The registered webhook, or the delivery, with this id, whose account an operator does not know yet. A delivery is found
 * once it was called.
 */
export const findWebhookRecord = defineRpc({
  subject: 'rpc.webhooks.find-webhook-record.v1',
  owner: 'webhooks',
  request: z.object({ id: z.string() }),
  reply: z.object({ webhook: webhookSchema.nullable(), delivery: deliverySchema.extend(ownedBy).nullable() }),
});

/** One of them, with its body and the log of its calls. */
export const getAccountDelivery = defineRpc({
  subject: 'rpc.webhooks.get-account-delivery.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ delivery: deliveryDetailSchema.extend(ownedBy) }),
});

/** Sends one of them again now. INVALID_STATE where its webhook is disabled or removed, or its body no longer kept. */
export const redeliverAccountDelivery = defineRpc({
  subject: 'rpc.webhooks.redeliver-account-delivery.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ before: deliverySchema, delivery: deliverySchema.extend(ownedBy) }),
});
