import type { z } from 'zod';
import {
  maskedHeaderValue,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type Webhook,
} from '@gateway/contracts/webhooks';
import type {
  DeliveryAttemptResource,
  DeliveryDetailResource,
  DeliveryResource,
  failingWebhookResourceSchema,
  WebhookResource,
} from '#src/v0_1/webhook-resource.ts';

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

export function presentDeliveryDetail(delivery: DeliveryDetail): DeliveryDetailResource {
  return {
    ...presentDelivery(delivery),
    request_body: delivery.requestBody,
    attempt_log: delivery.attemptLog.map(presentAttempt),
  };
}

function presentAttempt(attempt: DeliveryAttempt): DeliveryAttemptResource {
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
