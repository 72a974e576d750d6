import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';
import { customHeadersSchema, rateLimitPerSecondSchema } from '#src/webhooks/custom-headers.ts';
import {
  deliveryDetailSchema,
  deliverySchema,
  deliveryStatusSchema,
  webhookEventSchema,
  webhookSchema,
  webhookStatusSchema,
} from '#src/webhooks/webhook.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/** Registers an endpoint. Refuses a URL that may not be called (VALIDATION_ERROR on `url`) and the 21st (LIMIT_REACHED). */
export const registerWebhook = defineRpc({
  subject: 'rpc.webhooks.register-webhook.v2',
  owner: 'webhooks',
  sealed: true,
  request: z.object({
    ...owner,
    apiVersion: apiVersionSchema,
    name: z.string().min(1).max(64),
    url: z.string().min(1).max(2048),
    events: z.array(webhookEventSchema),
    headers: customHeadersSchema.optional(),
    rateLimitPerSecond: rateLimitPerSecondSchema.nullable().optional(),
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

/** Changes the members that are given; `headers` as a whole, in which `***` keeps the value there is. Resuming or enabling clears the reason for which it was disabled. */
export const updateWebhook = defineRpc({
  subject: 'rpc.webhooks.update-webhook.v2',
  owner: 'webhooks',
  sealed: true,
  request: z.object({
    ...owner,
    id: z.string(),
    name: z.string().min(1).max(64).optional(),
    url: z.string().min(1).max(2048).optional(),
    events: z.array(webhookEventSchema).optional(),
    status: webhookStatusSchema.optional(),
    headers: customHeadersSchema.optional(),
    rateLimitPerSecond: rateLimitPerSecondSchema.nullable().optional(),
  }),
  reply: z.object({ webhook: webhookSchema }),
});

/** A new secret, answered once; the old one signs the main header until the overlap is over. */
export const rotateWebhookSecret = defineRpc({
  subject: 'rpc.webhooks.rotate-webhook-secret.v2',
  owner: 'webhooks',
  sealed: true,
  request: z.object({ ...owner, id: z.string(), overlapSec: z.int().min(0).max(604_800) }),
  reply: z.object({ secret: z.string() }),
});

/** A new secret for the callbacks of the account's records, answered once; it replaces the last at once (api.md 2). */
export const rotateCallbackSecret = defineRpc({
  subject: 'rpc.webhooks.rotate-callback-secret.v2',
  owner: 'webhooks',
  sealed: true,
  request: z.object(owner),
  reply: z.object({ secret: z.string() }),
});

/** May this URL be called? Refuses by the rules of registration, with a VALIDATION_ERROR on `member`. */
export const checkTargetUrl = defineRpc({
  subject: 'rpc.webhooks.check-target-url.v1',
  owner: 'webhooks',
  request: z.object({
    url: z.string().min(1).max(2048),
    /** Where the caller has the URL, as the refusal names it. */
    member: z.string().min(1).max(64),
  }),
  reply: z.object({}),
});

export const getDelivery = defineRpc({
  subject: 'rpc.webhooks.get-delivery.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, webhookId: z.string(), id: z.string() }),
  reply: z.object({ delivery: deliveryDetailSchema }),
});

/** Sends a delivery again now, whatever became of it. INVALID_STATE for a disabled endpoint or a body no longer kept. */
export const redeliver = defineRpc({
  subject: 'rpc.webhooks.redeliver-delivery.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, webhookId: z.string(), id: z.string() }),
  reply: z.object({ delivery: deliverySchema }),
});

/** Sends again everything that failed among the deliveries created in a window; `until` defaults to now. */
export const recoverDeliveries = defineRpc({
  subject: 'rpc.webhooks.recover-deliveries.v1',
  owner: 'webhooks',
  request: z.object({
    ...owner,
    webhookId: z.string(),
    /** Unix seconds. */
    since: z.int().nonnegative(),
    /** Unix seconds. */
    until: z.int().nonnegative().optional(),
  }),
  reply: z.object({ count: z.int() }),
});

/**
 * Makes of a webhook of test mode what hours of failing calls would: its owner is warned, or it is disabled. Refuses
 * INVALID_STATE for one that is not enabled.
 */
export const simulateWebhookFailure = defineRpc({
  subject: 'rpc.webhooks.simulate-failure.v1',
  owner: 'webhooks',
  request: z.object({
    environment: z.literal('test'),
    accountId: owner.accountId,
    id: z.string(),
    result: z.enum(['failing', 'disabled']),
  }),
  reply: z.object({ webhook: webhookSchema }),
});

/** Sends a signed sample now and answers what became of it. Nothing of it is recorded. */
export const testWebhook = defineRpc({
  subject: 'rpc.webhooks.test-webhook.v1',
  owner: 'webhooks',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({
    delivered: z.boolean(),
    responseStatus: z.int().nullable(),
    latencyMs: z.int(),
    error: z.string().nullable(),
  }),
});
