import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';

/** Names of the events merchants receive (spec 6, api.md 2). */
export const webhookEventSchema = z
  .enum([
    'deposit.pending',
    'deposit.partially_paid',
    'deposit.paid',
    'deposit.expired',
    'deposit.canceled',
    'deposit.refunded',
    'payout.pending',
    'payout.processing',
    'payout.paid',
    'payout.failed',
    'payout.canceled',
    'payout.returned',
    'med.opened',
    'med.under_analysis',
    'med.won',
    'med.lost',
    'refund.done',
    'refund.failed',
    'conversion.completed',
    'export.completed',
    'webhook.failing',
    'webhook.disabled',
  ])
  .meta({ id: 'WebhookEventName', description: 'The name of an event.' });
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

export const webhookStatusSchema = z.enum(['enabled', 'paused', 'disabled']).meta({
  id: 'WebhookStatus',
  description: '`paused`: events are kept for up to 24 hours. `disabled`: nothing is recorded.',
});
export type WebhookStatus = z.infer<typeof webhookStatusSchema>;

/**
 * Why the gateway disabled an endpoint by itself: its receiver answered 410 three times over ten minutes, asked for it
 * with `webhook-delivery: disable`, or every call of 72 hours failed.
 */
export const disabledReasonSchema = z.enum(['gone', 'asked_to_stop', 'failing']).meta({
  id: 'DisabledReason',
  description:
    '`gone`: the receiver answered 410. `asked_to_stop`: it answered `webhook-delivery: disable`. `failing`: every call ' +
    'of 72 hours failed.',
});
export type DisabledReason = z.infer<typeof disabledReasonSchema>;

/** A registered endpoint; its secret is shown once, by the call that made it. */
export const webhookSchema = z.object({
  id: idSchema('webhook'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  name: z.string(),
  url: z.string(),
  /** Empty means all events. */
  events: z.array(webhookEventSchema),
  status: webhookStatusSchema,
  /** Null unless the gateway disabled it. */
  disabledReason: disabledReasonSchema.nullable(),
  apiVersion: apiVersionSchema,
  /** Of the headers its deliveries carry besides the gateway's; values may be credentials and stay in the service. */
  headerNames: z.array(z.string()).default([]),
  /** Null: no limit. */
  rateLimitPerSecond: z.int().nullable().default(null),
  /** Unix seconds. */
  createdAt: z.int(),
});
export type Webhook = z.infer<typeof webhookSchema>;

export const deliveryStatusSchema = z.enum(['PENDING', 'DELIVERED', 'FAILED']).meta({
  id: 'DeliveryStatus',
  description: '`PENDING`: is tried, or waits for the next attempt. `DELIVERED`: answered 2xx. `FAILED`: given up.',
});
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

/** One event on its way to one endpoint. */
export const deliverySchema = z.object({
  id: idSchema('delivery'),
  /** Null for a delivery to a callback URL. */
  webhookId: idSchema('webhook').nullable().default(null),
  /** The callback URL it goes to; null for a delivery to a webhook. */
  callbackUrl: z.string().nullable().default(null),
  event: webhookEventSchema,
  dataId: z.string(),
  status: deliveryStatusSchema,
  attempts: z.int().nonnegative(),
  latencyMs: z.int().nullable(),
  responseStatus: z.int().nullable(),
  error: z.string().nullable(),
  /** Unix seconds. */
  createdAt: z.int(),
  /** Unix seconds; null when no attempt is due. */
  nextAttemptAt: z.int().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** One call of a receiver. */
export const deliveryAttemptSchema = z.object({
  number: z.int().positive(),
  trigger: z.enum(['first', 'immediate', 'redelivery', 'probe', 'manual']),
  /** ISO 8601 UTC with milliseconds. */
  startedAt: z.string(),
  /** Where it went, whatever the endpoint's URL is now. */
  url: z.string(),
  peerAddress: z.string().nullable(),
  reusedConnection: z.boolean(),
  /** Parts of the time in milliseconds; null where there was none. */
  dnsMs: z.int().nullable(),
  connectMs: z.int().nullable(),
  tlsMs: z.int().nullable(),
  firstByteMs: z.int().nullable(),
  latencyMs: z.int(),
  responseStatus: z.int().nullable(),
  error: z.string().nullable(),
  requestHeaders: z.record(z.string(), z.string()),
  responseHeaders: z.record(z.string(), z.string()).nullable(),
  /** The first 16 KiB; in base64 when `responseBodyBase64`. */
  responseBody: z.string().nullable(),
  responseBodyBase64: z.boolean(),
  responseTruncated: z.boolean(),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

export const deliveryDetailSchema = deliverySchema.extend({
  /** What is signed and sent, as text, its paraphrase masked; null once it is older than bodies are kept. */
  requestBody: z.string().nullable(),
  attemptLog: z.array(deliveryAttemptSchema),
});
export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>;
