import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import {
  customHeadersSchema,
  rateLimitPerSecondSchema,
  webhookEventSchema,
  webhookStatusSchema,
} from '@gateway/contracts/webhooks';

/** Body of `POST /v1/webhooks`. Which URLs may be called is the webhooks service's rule. */
export const webhookRequestSchema = z.strictObject({
  name: requestText(1, 64),
  url: requestText(1, 2048),
  /** Left out, null or empty: all events. */
  events: z.array(webhookEventSchema).nullish(),
  /** Sent with each delivery; values are never shown again. */
  headers: customHeadersSchema.nullish(),
  /** Left out or null: no limit but the receiver's own pace. */
  rate_limit_per_second: rateLimitPerSecondSchema.nullish(),
});

/**
 * Body of `PATCH /v1/webhooks/{id}`; what is left out stays as it is, empty `events` means all. `headers` are
 * replaced as a whole, a value of `***` keeping the one there is; a null limit lifts it.
 */
export const webhookPatchSchema = z.strictObject({
  name: requestText(1, 64).optional(),
  url: requestText(1, 2048).optional(),
  events: z.array(webhookEventSchema).optional(),
  status: webhookStatusSchema.optional(),
  headers: customHeadersSchema.optional(),
  rate_limit_per_second: rateLimitPerSecondSchema.nullish(),
});

/** Body of `POST /v1/webhooks/{id}/rotate-secret`; it may be left out. */
export const rotateSecretRequestSchema = z
  .strictObject({
    /** Seconds for which deliveries are signed with both secrets. */
    overlap_sec: z.int().min(0).max(604_800).default(86_400),
  })
  .nullish();

const unixSecondsSchema = z.int().min(0).max(99_999_999_999);

/** Body of `POST /v1/webhooks/{id}/recover`: a window of creation times in Unix seconds, until now by default. */
export const recoverRequestSchema = z
  .strictObject({ since: unixSecondsSchema, until: unixSecondsSchema.nullish() })
  .refine(({ since, until }) => (until ?? since) >= since, { path: ['until'], message: 'must not be before since' });
