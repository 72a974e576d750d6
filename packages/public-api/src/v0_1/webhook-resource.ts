import { z } from 'zod';
import { apiVersionSchema, environmentSchema } from '@gateway/contracts/values';
import {
  maskedHeaderValue,
  deliveryStatusSchema,
  disabledReasonSchema,
  webhookEventSchema,
  webhookStatusSchema,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type Webhook,
} from '@gateway/contracts/webhooks';

/** A webhook endpoint (api.md 2), without its secret. */
export const webhookResourceSchema = z.object({
  id: z.string(),
  object: z.literal('webhook'),
  name: z.string(),
  url: z.string(),
  events: z.array(webhookEventSchema),
  status: webhookStatusSchema,
  /** Why the gateway disabled it; null otherwise. */
  disabled_reason: disabledReasonSchema.nullable(),
  api_version: apiVersionSchema,
  /** Names of its own headers, each with `***` for its value. */
  headers: z.record(z.string(), z.string()),
  /** Calls per second at most; null without a limit. */
  rate_limit_per_second: z.int().nullable(),
  environment: environmentSchema,
  created_at: z.int(),
});
export type WebhookResource = z.infer<typeof webhookResourceSchema>;

/** What `webhook.failing` carries: the webhook, and for how many hours every call of it has failed. */
export const failingWebhookResourceSchema = webhookResourceSchema.extend({
  failing_hours: z.int().describe('Hours for which every call has failed: 1, 12, 24 or 48. After 72 it is disabled.'),
});

/** The answer of the registering call, the only one that carries the secret. */
export const webhookWithSecretSchema = webhookResourceSchema.extend({ secret: z.string() });

export const deliveryResourceSchema = z.object({
  id: z.string(),
  object: z.literal('webhook_delivery'),
  webhook_id: z.string().nullable().describe('The webhook it goes to; null for a callback URL'),
  callback_url: z.string().nullable().describe('The callback URL of the deposit; null for a webhook'),
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
    disabled_reason: webhook.disabledReason,
    api_version: webhook.apiVersion,
    headers: Object.fromEntries(webhook.headerNames.map((name) => [name, maskedHeaderValue])),
    rate_limit_per_second: webhook.rateLimitPerSecond,
    environment: webhook.environment,
    created_at: webhook.createdAt,
  };
}

export function presentFailingWebhook(
  webhook: Webhook,
  failingHours: number,
): z.infer<typeof failingWebhookResourceSchema> {
  return { ...presentWebhook(webhook), failing_hours: failingHours };
}

export function presentDelivery(delivery: Delivery): DeliveryResource {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    webhook_id: delivery.webhookId,
    callback_url: delivery.callbackUrl,
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

const headersSchema = z.record(z.string(), z.string());

const deliveryAttemptResourceSchema = z.object({
  number: z.int(),
  trigger: z.string(),
  started_at: z.string(),
  url: z.string(),
  peer_address: z.string().nullable(),
  reused_connection: z.boolean(),
  dns_ms: z.int().nullable(),
  connect_ms: z.int().nullable(),
  tls_ms: z.int().nullable(),
  first_byte_ms: z.int().nullable(),
  latency_ms: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  request_headers: headersSchema,
  response_headers: headersSchema.nullable(),
  response_body: z.string().nullable(),
  response_body_base64: z.boolean(),
  response_truncated: z.boolean(),
});

/** A delivery with the body that is sent and every call that was made (api.md 2). */
export const deliveryDetailResourceSchema = deliveryResourceSchema.extend({
  request_body: z.string().nullable(),
  attempt_log: z.array(deliveryAttemptResourceSchema),
});
export type DeliveryDetailResource = z.infer<typeof deliveryDetailResourceSchema>;

export function presentDeliveryDetail(delivery: DeliveryDetail): DeliveryDetailResource {
  return {
    ...presentDelivery(delivery),
    request_body: delivery.requestBody,
    attempt_log: delivery.attemptLog.map(presentAttempt),
  };
}

function presentAttempt(attempt: DeliveryAttempt): z.infer<typeof deliveryAttemptResourceSchema> {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: attempt.startedAt,
    url: attempt.url,
    peer_address: attempt.peerAddress,
    reused_connection: attempt.reusedConnection,
    dns_ms: attempt.dnsMs,
    connect_ms: attempt.connectMs,
    tls_ms: attempt.tlsMs,
    first_byte_ms: attempt.firstByteMs,
    latency_ms: attempt.latencyMs,
    response_status: attempt.responseStatus,
    error: attempt.error,
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_body_base64: attempt.responseBodyBase64,
    response_truncated: attempt.responseTruncated,
  };
}

/** A fresh signing secret; in this answer and nowhere else. */
export const secretResourceSchema = z.object({ secret: z.string() });

/** What became of a sample that was sent (`POST /v1/webhooks/{id}/test`). */
export const webhookTestResourceSchema = z.object({
  delivered: z.boolean(),
  response_status: z.int().nullable(),
  latency_ms: z.int(),
  error: z.string().nullable(),
});

/** How many deliveries are sent again (`POST /v1/webhooks/{id}/recover`). */
export const recoveryResourceSchema = z.object({ count: z.int() });
