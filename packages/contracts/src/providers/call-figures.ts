import { z } from 'zod';
import { defineRpc } from '#src/messages/define.ts';

/** Over how long calls of providers are counted. */
export const callFiguresHours = 24;

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
