const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long a delivery is tried, from its creation. */
export const deliveryLifetimeMs = 24 * hourMs;

/** Retries right after the first attempt. */
export const immediateRetries = 2;
const immediateMinMs = 200;
export const immediateMaxMs = 1_000;

/** Delays of the retries after those (webhooks.md 6). */
const delaysMs = [
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
/** The last attempt starts in the minutes before the delivery expires. */
const lastBeforeEndMs = 5 * minuteMs;
const lastJitterMs = 3 * minuteMs;

export interface FailedAttempt {
  /** Attempts made since the delivery was created or redelivered by hand, this one included. */
  readonly attempts: number;
  /** Milliseconds until the delivery expires. */
  readonly remainingMs: number;
  /** Immediate retries are allowed: the breaker is closed, and the attempt reached the network. */
  readonly immediately: boolean;
  /** The pause the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * When a delivery that failed is tried again, in milliseconds from now: twice at once, then with growing
 * delays, the last time just before it expires. Jitter only adds, and nothing is due after the end. Null: it has failed.
 */
export function nextAttemptInMs(failed: FailedAttempt, random: () => number): number | null {
  const { attempts, remainingMs, immediately, retryAfterMs = 0 } = failed;
  const retriesLeft = attempts <= immediateRetries;
  if (retriesLeft && immediately) {
    const delayMs = Math.max(immediateMinMs + random() * (immediateMaxMs - immediateMinMs), retryAfterMs);
    return delayMs < remainingMs ? Math.round(delayMs) : lastAttemptInMs(remainingMs, random);
  }
  const scheduledMs = delaysMs[Math.max(attempts - immediateRetries - 1, 0)] ?? Infinity;
  const delayMs = Math.max(scheduledMs * (1 + random() * jitterShare), retryAfterMs);
  const lastMs = lastAttemptInMs(remainingMs, random);
  if (lastMs !== null && delayMs >= lastMs) return lastMs;
  return delayMs < remainingMs ? Math.round(delayMs) : null;
}

/** Null when the attempt that just failed was the last one. */
function lastAttemptInMs(remainingMs: number, random: () => number): number | null {
  if (remainingMs <= lastBeforeEndMs) return null;
  return Math.round(remainingMs - lastBeforeEndMs + random() * lastJitterMs);
}
