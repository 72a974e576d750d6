import { z } from 'zod';
import { apiVersionSchema, environmentSchema } from '#src/environment.ts';
import {
  deliveryStatusSchema,
  webhookEventSchema,
  webhookStatusSchema,
  type Delivery,
  type Webhook,
} from '#src/webhooks/webhook.ts';

/** A webhook endpoint (api.md 2), without its secret. */
export const webhookResourceSchema = z.object({
  id: z.string(),
  object: z.literal('webhook'),
  name: z.string(),
  url: z.string(),
  events: z.array(webhookEventSchema),
  status: webhookStatusSchema,
  api_version: apiVersionSchema,
  environment: environmentSchema,
  created_at: z.int(),
});
export type WebhookResource = z.infer<typeof webhookResourceSchema>;

/** The answer of the registering call, the only one that carries the secret. */
export const webhookWithSecretSchema = webhookResourceSchema.extend({ secret: z.string() });

export const deliveryResourceSchema = z.object({
  id: z.string(),
  object: z.literal('webhook_delivery'),
  event: webhookEventSchema,
  data_id: z.string(),
  status: deliveryStatusSchema,
  attempts: z.int(),
  latency_ms: z.int().nullable(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  created_at: z.int(),
  next_attempt_at: z.int().nullable(),
});
export type DeliveryResource = z.infer<typeof deliveryResourceSchema>;

export function presentWebhook(webhook: Webhook): WebhookResource {
  return {
    id: webhook.id,
    object: 'webhook',
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    status: webhook.status,
    api_version: webhook.apiVersion,
    environment: webhook.environment,
    created_at: webhook.createdAt,
  };
}

export function presentDelivery(delivery: Delivery): DeliveryResource {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    event: delivery.event,
    data_id: delivery.dataId,
    status: delivery.status,
    attempts: delivery.attempts,
    latency_ms: delivery.latencyMs,
    response_status: delivery.responseStatus,
    error: delivery.error,
    created_at: delivery.createdAt,
    next_attempt_at: delivery.nextAttemptAt,
  };
}
