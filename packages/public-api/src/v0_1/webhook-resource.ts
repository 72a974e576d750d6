import { z } from 'zod';
import { apiVersionSchema, environmentSchema } from '@gateway/contracts/values';
import {
  deliveryAttemptSchema,
  deliveryStatusSchema,
  disabledReasonSchema,
  webhookEventSchema,
  webhookStatusSchema,
} from '@gateway/contracts/webhooks';
import { count, flag, isoTime, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

/** A webhook endpoint (api.md 2), without its secret. */
export const webhookResourceSchema = z
  .object({
    id: recordId('webhook', 'The id of the webhook.'),
    object: objectName('webhook'),
    name: text('The name that the merchant gave it.', 'shop'),
    url: text('Where events are sent.', 'https://shop.example/hooks'),
    events: z
      .array(webhookEventSchema)
      .meta({ description: 'The events it subscribes to; none means all.', examples: [['deposit.paid']] }),
    status: webhookStatusSchema.describe('Whether events are sent to it.'),
    disabled_reason: disabledReasonSchema
      .nullable()
      .meta({ description: 'Why the gateway disabled it; null otherwise.', examples: [null] }),
    api_version: apiVersionSchema.describe('The contract of its events: that of the call that registered it.'),
    headers: z.record(z.string(), z.string()).meta({
      description: 'The headers that its deliveries carry besides ours, each with `***` for its value.',
      examples: [{ authorization: '***' }],
    }),
    rate_limit_per_second: count('Calls per second at most; null without a limit.', 20).nullable(),
    environment: environmentSchema.describe('The environment whose events it gets.'),
    created_at: unixSeconds('When it was registered.'),
  })
  .meta({ id: 'Webhook', description: 'An address that events are sent to.' });
export type WebhookResource = z.infer<typeof webhookResourceSchema>;

/** What `webhook.failing` carries: the webhook, and for how many hours every call of it has failed. */
export const failingWebhookResourceSchema = webhookResourceSchema
  .extend({
    failing_hours: count('Hours for which every call has failed: 1, 12, 24 or 48. After 72 it is disabled.', 12),
  })
  .meta({ id: 'FailingWebhook', description: 'A webhook all of whose calls fail.' });

const signingSecret = text(
  'The secret that signs deliveries; keep it, it is not shown again.',
  'whsec_c2FtcGxlIHNlY3JldCBmb3IgdGhlIGRvY3M=',
);

/** The answer of the registering call, the only one that carries the secret. */
export const webhookWithSecretSchema = webhookResourceSchema
  .extend({ secret: signingSecret })
  .meta({ id: 'WebhookWithSecret', description: 'A new webhook with its secret, which is shown in no other answer.' });

export const deliveryResourceSchema = z
  .object({
    id: recordId('delivery', 'The id of the delivery.'),
    object: objectName('webhook_delivery'),
    webhook_id: recordId('webhook', 'The webhook it goes to; null for a callback URL.').nullable(),
    callback_url: text('The callback URL of the deposit; null for a webhook.', 'https://shop.example/callback')
      .nullable()
      .meta({ examples: [null] }),
    event: webhookEventSchema.describe('The event that is delivered.'),
    data_id: text('The id of the record that the event is about.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    status: deliveryStatusSchema.describe('What has become of the delivery.'),
    attempts: count('How many calls have been made.'),
    latency_ms: count('How long the last call took, in milliseconds.', 84).nullable(),
    response_status: count('What the receiver answered last; null when it did not answer.', 200).nullable(),
    error: text('Why it has not arrived, such as `refused` or `http_5xx`; the page of errors explains each.', 'refused')
      .nullable()
      .meta({ examples: [null] }),
    created_at: unixSeconds('When the event was recorded for the webhook.'),
    next_attempt_at: unixSeconds('When it is tried again; null when it is not.')
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook.' });
export type DeliveryResource = z.infer<typeof deliveryResourceSchema>;

const headersOf = (what: string, example: Readonly<Record<string, string>>) =>
  z.record(z.string(), z.string()).meta({ description: what, examples: [example] });
const partMs = (what: string, example: number) =>
  count(`${what}, in milliseconds; null where there was none.`, example);

const deliveryAttemptResourceSchema = z
  .object({
    number: count('The number of the call, from 1.'),
    trigger: deliveryAttemptSchema.shape.trigger.describe('Why it was made.'),
    started_at: isoTime('When it was made.'),
    url: text('Where it went, whatever the address of the webhook is now.', 'https://shop.example/hooks'),
    peer_address: text('The IP address that was called.', '203.0.113.7').nullable(),
    reused_connection: flag('Whether an open connection was used.'),
    dns_ms: partMs('Looking the name up', 3).nullable(),
    connect_ms: partMs('Connecting', 12).nullable(),
    tls_ms: partMs('Agreeing on encryption', 25).nullable(),
    first_byte_ms: partMs('Waiting for the answer', 40).nullable(),
    latency_ms: count('The whole call, in milliseconds.', 84),
    response_status: count('What the receiver answered; null when it did not.', 200).nullable(),
    error: text('Why the call failed, such as `timeout_headers`; null when it did not.', 'refused')
      .nullable()
      .meta({ examples: [null] }),
    request_headers: headersOf('What was sent; values that may be secret are masked.', {
      'content-type': 'application/json',
    }),
    response_headers: headersOf('What came back.', { 'content-type': 'text/plain' }).nullable(),
    response_body: text('The first 16 KiB of what came back.', 'ok').nullable(),
    response_body_base64: flag('Whether `response_body` is base64, since it is no text.'),
    response_truncated: flag('Whether more came back than is kept.'),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One call of a receiver.' });
export type DeliveryAttemptResource = z.infer<typeof deliveryAttemptResourceSchema>;

/** A delivery with the body that is sent and every call that was made (api.md 2). */
export const deliveryDetailResourceSchema = deliveryResourceSchema
  .extend({
    request_body: text(
      'The body that is signed and sent, as text; null once it is older than bodies are kept.',
      '{"id":"evt_01k9z3m4v6t8x0a2c4e6g8jk01","event":"deposit.paid"}',
    ).nullable(),
    attempt_log: z.array(deliveryAttemptResourceSchema).describe('Every call that was made, oldest first.'),
  })
  .meta({ id: 'DeliveryDetail', description: 'A delivery with the body that is sent and every call.' });
export type DeliveryDetailResource = z.infer<typeof deliveryDetailResourceSchema>;

/** A fresh signing secret; in this answer and nowhere else. */
export const secretResourceSchema = z
  .object({ secret: signingSecret })
  .meta({ id: 'Secret', description: 'A new secret, in this answer and in no other.' });

/** What became of a sample that was sent (`POST /v1/webhooks/{id}/test`). */
export const webhookTestResourceSchema = z
  .object({
    delivered: flag('Whether the receiver answered 2xx in time.'),
    response_status: count('What the receiver answered; null when it did not.', 200).nullable(),
    latency_ms: count('How long the call took, in milliseconds.', 84),
    error: text('Why the call failed, such as `timeout_headers`; null when it did not.', 'refused')
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'WebhookTestResult', description: 'What became of a sample.' });

/** How many events are sent (`POST /v1/webhooks/{id}/replay`). */
export const replayResourceSchema = z
  .object({ count: count('How many events are sent that the webhook was never given.', 12) })
  .meta({ id: 'Replay', description: 'What is sent of the event log.' });

/** How many deliveries are sent again (`POST /v1/webhooks/{id}/recover`). */
export const recoveryResourceSchema = z
  .object({ count: count('How many deliveries are sent again.', 12) })
  .meta({ id: 'Recovery', description: 'What is sent again.' });
