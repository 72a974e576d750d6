const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long a delivery is tried, from its creation (spec 6, rule 2). */
export const deliveryLifetimeMs = 24 * hourMs;

/** Retries right after the first attempt (spec 6, rule 2). */
export const immediateRetries = 2;
const immediateMinMs = 200;
const immediateMaxMs = 1_000;

/** Distances of the redeliveries after that, by webhooks.md 6. */
const distancesMs = [
  30 * secondMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  1 * hourMs,
  2 * hourMs,
  4 * hourMs,
  4 * hourMs,
  4 * hourMs,
  4 * hourMs,
];
const jitterShare = 0.1;
/** The last attempt of all starts in the minutes before the end. */
const lastBeforeEndMs = 5 * minuteMs;
const lastJitterMs = 3 * minuteMs;

export interface FailedAttempt {
  /** Attempts made since the delivery was created or redelivered by hand, this one included. */
  readonly attempts: number;
  /** Milliseconds until the delivery expires. */
  readonly remainingMs: number;
  /** Retries at once make sense: the breaker is closed, and something was really sent. */
  readonly immediately: boolean;
  /** What the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * When a delivery that failed is tried again, in milliseconds from now: twice at once, then at growing distances, the
 * last time just before it expires. Jitter only ever adds, and nothing is due after the end. Null: it has failed.
 */
export function nextAttemptInMs(failed: FailedAttempt, random: () => number): number | null {
  const { attempts, remainingMs, immediately, retryAfterMs = 0 } = failed;
  const retriesLeft = attempts <= immediateRetries;
  if (retriesLeft && immediately) {
    const delayMs = Math.max(immediateMinMs + random() * (immediateMaxMs - immediateMinMs), retryAfterMs);
    return delayMs < remainingMs ? Math.round(delayMs) : lastAttemptInMs(remainingMs, random);
  }
  const distanceMs = distancesMs[Math.max(attempts - immediateRetries - 1, 0)] ?? Infinity;
  const delayMs = Math.max(distanceMs * (1 + random() * jitterShare), retryAfterMs);
  const lastMs = lastAttemptInMs(remainingMs, random);
  if (lastMs !== null && delayMs >= lastMs) return lastMs;
  return delayMs < remainingMs ? Math.round(delayMs) : null;
}

/** Null once its time has come: then the attempt that just failed was the last. */
function lastAttemptInMs(remainingMs: number, random: () => number): number | null {
  if (remainingMs <= lastBeforeEndMs) return null;
  return Math.round(remainingMs - lastBeforeEndMs + random() * lastJitterMs);
}
