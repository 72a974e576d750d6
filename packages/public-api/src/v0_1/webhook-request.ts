import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import {
  customHeadersSchema,
  rateLimitPerSecondSchema,
  webhookEventSchema,
  webhookStatusSchema,
} from '@gateway/contracts/webhooks';
import { idSchema } from '@gateway/money';
import { requestUrl } from '#src/shared/request-url.ts';

/** Body of `POST /v1/webhooks`. Which URLs may be called is the webhooks service's rule. */
export const webhookRequestSchema = z
  .strictObject({
    name: requestText(1, 64).describe('A name of yours.'),
    url: requestUrl('Where events are sent: https, at a public address.'),
    events: z.array(webhookEventSchema).nullish().describe('The events to send; left out or empty means all.'),
    headers: customHeadersSchema
      .nullish()
      .describe('Headers to send with each delivery, for example credentials; their values are never shown again.'),
    rate_limit_per_second: rateLimitPerSecondSchema
      .nullish()
      .describe('Calls per second at most; left out, there is no limit but the pace of the receiver.'),
  })
  .meta({ id: 'WebhookCreate', description: 'A webhook to be registered.' });

/**
 * Body of `PATCH /v1/webhooks/{id}`; what is left out stays as it is, empty `events` means all. `headers` are
 * replaced as a whole, a value of `***` keeping the one there is; a null limit lifts it.
 */
export const webhookPatchSchema = z
  .strictObject({
    name: requestText(1, 64).optional().describe('Its new name; it stays what it is without it.'),
    url: requestUrl('Where events are sent from now on.').optional(),
    events: z.array(webhookEventSchema).optional().describe('The events to send; empty means all.'),
    status: webhookStatusSchema.optional().describe('Whether events are sent.'),
    headers: customHeadersSchema
      .optional()
      .describe('All headers of its own; a value of `***` keeps the one there is.'),
    rate_limit_per_second: rateLimitPerSecondSchema
      .nullish()
      .describe('Calls per second at most; null lifts the limit.'),
  })
  .meta({ id: 'WebhookUpdate', description: 'What changes; what is left out stays as it is.' });

/** Body of `POST /v1/webhooks/{id}/rotate-secret`; it may be left out. */
export const rotateSecretRequestSchema = z
  .strictObject({
    overlap_sec: z
      .int()
      .min(0)
      .max(604_800)
      .default(86_400)
      .describe('For how many seconds deliveries are signed with both secrets; a day when it is left out.'),
  })
  .meta({ id: 'SecretRotation', description: 'How a secret is replaced.' })
  .nullish();

const unixSecondsSchema = z.int().min(0).max(99_999_999_999);

/** Body of `POST /v1/webhooks/{id}/recover`: a window of creation times in Unix seconds, until now by default. */
export const recoverRequestSchema = z
  .strictObject({
    since: unixSecondsSchema.describe('The first moment of the window, in Unix seconds.'),
    until: unixSecondsSchema.nullish().describe('Its last moment, in Unix seconds; now when it is left out.'),
  })
  .refine(({ since, until }) => (until ?? since) >= since, { path: ['until'], message: 'must not be before since' })
  .meta({ id: 'RecoveryCreate', description: 'A window of time in which deliveries were created.' });

/** Body of `POST /v1/webhooks/{id}/replay`: a window of the event log, until now by default. */
export const replayRequestSchema = z
  .strictObject({
    since: unixSecondsSchema.describe('The first moment of the window, in Unix seconds.'),
    until: unixSecondsSchema.nullish().describe('Its end, in Unix seconds, exclusive; now when it is left out.'),
    events: z
      .array(webhookEventSchema)
      .max(webhookEventSchema.options.length)
      .nullish()
      .describe('Only these of the events that the webhook subscribes to.'),
  })
  .refine(({ since, until }) => (until ?? since) >= since, { path: ['until'], message: 'must not be before since' })
  .meta({ id: 'ReplayCreate', description: 'A window of time in which events happened.' });

/** Body of `POST /v1/events/{id}/deliver`. */
export const deliverRequestSchema = z
  .strictObject({ webhook_id: idSchema('webhook').describe('The id of the webhook to send the event to.') })
  .meta({ id: 'EventDelivery', description: 'Where an event is sent to.' });

/** Body of `POST /v1/test/webhooks/{id}/fail`. */
export const webhookFailureRequestSchema = z
  .strictObject({
    result: z
      .enum(['failing', 'disabled'])
      .describe(
        '`failing`: its owner is warned as after an hour of failing calls. `disabled`: it is disabled as after 72.',
      ),
  })
  .meta({ id: 'WebhookFailure', description: 'What hours of failing calls make of a test webhook.' });
