import { z } from 'zod';
import { apiVersionSchema, environmentSchema } from '#src/environment.ts';
import { idSchema } from '#src/ids/id.ts';

/** Names of the events merchants receive (spec 6, api.md 2). */
export const webhookEventSchema = z.enum([
  'deposit.pending',
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
  'conversion.completed',
]);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

export const webhookStatusSchema = z.enum(['enabled', 'paused', 'disabled']);
export type WebhookStatus = z.infer<typeof webhookStatusSchema>;

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
  apiVersion: apiVersionSchema,
  /** Unix seconds. */
  createdAt: z.int(),
});
export type Webhook = z.infer<typeof webhookSchema>;

export const deliveryStatusSchema = z.enum(['PENDING', 'DELIVERED', 'FAILED']);
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

/** One event on its way to one endpoint. */
export const deliverySchema = z.object({
  id: idSchema('delivery'),
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
