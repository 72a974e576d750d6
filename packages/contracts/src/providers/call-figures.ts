import { z } from 'zod';
import { defineRpc } from '#src/messages/define.ts';

/** Over how long calls of providers are counted. */
export const callFiguresHours = 24;
/** For how long calls are kept by the hour. */
export const callHistoryDays = 31;
/** What an answer has room for on the bus. */
export const callHistoryMax = 2_000;

const shortestMs = 2;
const step = 1.25;
const steps = 44;
/** The longest duration of each bucket but the last, which has all that took longer: up to half a minute, a quarter apart. */
const bucketEndsMs: readonly number[] = Array.from({ length: steps }, (_, nth) => shortestMs * step ** nth);
export const durationBuckets = steps + 1;

/** In which bucket a duration counts. */
export function durationBucketOf(ms: number): number {
  const nth = bucketEndsMs.findIndex((end) => ms <= end);
  return nth === -1 ? steps : nth;
}

/**
 * The duration that a part of the calls did not exceed, in milliseconds: the end of its bucket, so that it is never better
 * than it was; of the last one, where that begins. Null of no calls.
 */
export function durationAt(part: number, durations: readonly number[]): number | null {
  const calls = durations.reduce((sum, count) => sum + count, 0);
  if (calls === 0) return null;
  const wanted = Math.ceil(part * calls);
  let seen = 0;
  const nth = durations.findIndex((count) => (seen += count) >= wanted);
  return Math.round(bucketEndsMs[Math.min(nth, steps - 1)] ?? 0);
}

/** Calls of one kind to a provider. */
export const callFiguresSchema = z.object({
  /** As in metrics: `create-charge`. */
  operation: z.string(),
  calls: z.int().nonnegative(),
  /** Those after which it is not known what the provider did, or that did not reach it. What it refuses is answered. */
  failed: z.int().nonnegative(),
  /** How many took how long, by bucket. */
  durations: z.array(z.int().nonnegative()),
});
export type CallFigures = z.infer<typeof callFiguresSchema>;

function getCallFiguresOf<S extends 'deposits' | 'payouts'>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.get-call-figures.v1`,
    owner: service,
    request: z.object({ provider: z.string() }),
    reply: z.object({
      calls: z.array(callFiguresSchema),
      /** ISO 8601 UTC; of the last notification that was authentic, null where none is known. */
      lastNotificationAt: z.string().nullable(),
    }),
  });
}

/** The calls of this service to a provider over the last 24 hours, of all its processes together. */
export const getDepositCallFigures = getCallFiguresOf('deposits');
export const getPayoutCallFigures = getCallFiguresOf('payouts');

/** The calls of a provider that began in an hour or on a day, of all operations together. */
const callSlotSchema = callFiguresSchema.omit({ operation: true }).extend({
  provider: z.string(),
  /** Unix seconds: the beginning of the hour, or of the day in the zone. */
  at: z.int(),
});
export type CallSlot = z.infer<typeof callSlotSchema>;

function getCallHistoryOf<S extends 'deposits' | 'payouts'>(service: S) {
  return defineRpc({
    subject: `rpc.${service}.get-call-history.v1`,
    owner: service,
    request: z.object({
      providers: z.array(z.string()),
      /** Unix seconds: hours that begin from the first on and before the second. */
      from: z.number(),
      to: z.number(),
      by: z.enum(['hour', 'day']),
      /** An IANA time zone, in which days begin. A day has whole hours of UTC. */
      zone: z.string(),
    }),
    reply: z.object({ slots: z.array(callSlotSchema) }),
  });
}

/**
 * The calls of this service to these providers over time, the first first; an hour or a day without calls is left out.
 * VALIDATION_ERROR naming `from` beyond `callHistoryMax`.
 */
export const getDepositCallHistory = getCallHistoryOf('deposits');
export const getPayoutCallHistory = getCallHistoryOf('payouts');
