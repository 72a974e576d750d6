import { afterAttempt, type Lane } from '#src/queue/lane.ts';
import type { Claimed } from '#src/queue/claim.ts';
import { immediateRetries, nextAttemptInMs } from '#src/queue/schedule.ts';
import type { Attempt } from '#src/http/attempt.ts';

/** Why a claimed delivery was not sent at all; given back, it is due as before. */
export type NotSent = 'expired' | 'endpoint_deleted' | 'body_expired' | 'given_back';

export type Finished =
  | { readonly claimed: Claimed; readonly attempt: Attempt; readonly elapsedMs: number }
  | { readonly claimed: Claimed; readonly notSent: NotSent };

export interface Settlement {
  readonly lane: Lane;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Milliseconds from now; null when it is not tried again, or was due already. */
  readonly nextInMs: number | null;
}

/** A finished call, and what it means. */
export interface Settled {
  readonly finished: Finished;
  readonly settlement: Settlement;
}

/** What one finished call means for its delivery and for its lane. */
export function settle(lane: Lane, finished: Finished, nowMs: number, random: () => number): Settlement {
  if ('notSent' in finished) {
    return { lane, state: finished.notSent === 'given_back' ? 'waiting' : 'failed', nextInMs: null };
  }
  const { claimed, attempt, elapsedMs } = finished;
  const retryAfterMs = attempt.response?.retryAfterMs;
  const end = {
    deliveryId: claimed.id,
    first: claimed.cycle_attempts === 0,
    delivered: attempt.delivered,
    through: claimed.cycle_attempts >= immediateRetries || !mayRetryAtOnce(attempt),
    gone: attempt.error === 'gone',
    latencyMs: attempt.latencyMs,
    retryAfterMs,
  };
  const after = afterAttempt(lane, end, nowMs, random);
  if (attempt.delivered) return { lane: after, state: 'delivered', nextInMs: null };
  if (attempt.response?.control !== undefined) return { lane: after, state: 'failed', nextInMs: null };
  const nextInMs = nextAttemptInMs(
    {
      attempts: claimed.cycle_attempts + 1,
      remainingMs: claimed.remaining_ms - elapsedMs,
      immediately: after.breaker === 'closed' && mayRetryAtOnce(attempt),
      retryAfterMs,
    },
    random,
  );
  return { lane: after, state: nextInMs === null ? 'failed' : 'waiting', nextInMs };
}

/** Where nothing may be sent at all, sending it again at once makes no sense. */
function mayRetryAtOnce({ error }: Attempt): boolean {
  return error !== 'ssrf_blocked';
}
