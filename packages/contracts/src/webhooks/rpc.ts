import { z } from 'zod';
import { apiVersionSchema, environmentSchema } from '#src/environment.ts';
import { idSchema } from '#src/ids/id.ts';
import { defineRpc } from '#src/messages/define.ts';
import { deliverySchema, deliveryStatusSchema, webhookEventSchema, webhookSchema } from '#src/webhooks/webhook.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/** Registers an endpoint. Refuses a URL that may not be called (VALIDATION_ERROR on `url`) and the 21st (LIMIT_REACHED). */
export const registerWebhook = defineRpc({
  subject: 'rpc.webhooks.register-webhook.v1',
  owner: 'webhooks',
  request: z.object({
    ...owner,
    apiVersion: apiVersionSchema,
    name: z.string().min(1).max(64),
    url: z.string().min(1).max(2048),
    events: z.array(webhookEventSchema),
  }),
  reply: z.object({ webhook: webhookSchema, secret: z.string() }),
});

export const getWebhook = defineRpc({
  subject: 'rpc.webhooks.get-webhook.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ webhook: webhookSchema }),
});

export const listWebhooks = defineRpc({
  subject: 'rpc.webhooks.list-webhooks.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, limit: z.int().min(1).max(200), cursor: z.string().optional() }),
  reply: z.object({ webhooks: z.array(webhookSchema), nextCursor: z.string().nullable() }),
});

export const deleteWebhook = defineRpc({
  subject: 'rpc.webhooks.delete-webhook.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({}),
});

/** A page of one endpoint's delivery log, newest first. */
export const listDeliveries = defineRpc({
  subject: 'rpc.webhooks.list-deliveries.v1',
  owner: 'webhooks',
  request: z.object({
    ...owner,
    webhookId: z.string(),
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    status: deliveryStatusSchema.optional(),
    event: webhookEventSchema.optional(),
    dataId: z.string().optional(),
  }),
  reply: z.object({ deliveries: z.array(deliverySchema), nextCursor: z.string().nullable() }),
});
