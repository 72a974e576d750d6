import type { DeliveryJob, DeliveryState, FinishedJob } from '#src/queue/delivery-job.ts';
import type { Attempt } from '#src/http/attempt.ts';
import { afterAttempt, type QueueState } from '#src/queue/queue-state.ts';
import { immediateRetries, nextAttemptInMs } from '#src/queue/retry-schedule.ts';

/** What a finished job changes. */
export interface Transition {
  readonly finished: FinishedJob;
  /** The queue after it. */
  readonly queueState: QueueState;
  readonly deliveryState: Exclude<DeliveryState, 'leased'>;
  /** Milliseconds until the next attempt; null when there is none, or the delivery is due already. */
  readonly nextInMs: number | null;
}

/** Decides what a finished job means for its delivery and for the queue of its endpoint. */
export function transitionOf(
  state: QueueState,
  finished: FinishedJob,
  nowMs: number,
  random: () => number,
): Transition {
  const { job, outcome } = finished;
  if (outcome.kind === 'skipped') {
    const deliveryState = outcome.reason === 'given_back' ? 'waiting' : 'failed';
    return { finished, queueState: state, deliveryState, nextInMs: null };
  }
  const { attempt, elapsedMs } = outcome;
  const retryAfterMs = attempt.response?.retryAfterMs;
  const summary = {
    deliveryId: job.id,
    first: job.cycleAttempts === 0,
    delivered: attempt.delivered,
    immediateRetriesDone: job.cycleAttempts >= immediateRetries || !isRetriedImmediately(attempt),
    gone: attempt.error === 'gone',
    latencyMs: attempt.latencyMs,
    retryAfterMs,
  };
  const queueState = afterAttempt(state, summary, nowMs, random);
  if (attempt.delivered) return { finished, queueState, deliveryState: 'delivered', nextInMs: null };
  if (attempt.response?.control !== undefined) return { finished, queueState, deliveryState: 'failed', nextInMs: null };
  const failed = {
    attempts: job.cycleAttempts + 1,
    remainingMs: job.remainingMs - elapsedMs,
    immediately: beganClosed(state, queueState, job) && isRetriedImmediately(attempt),
    retryAfterMs,
  };
  const nextInMs = nextAttemptInMs(failed, random);
  return { finished, queueState, deliveryState: nextInMs === null ? 'failed' : 'waiting', nextInMs };
}

/** What was begun with the breaker closed has its immediate retries, also where it has opened since (webhooks.md 7). */
function beganClosed(before: QueueState, after: QueueState, { probe }: DeliveryJob): boolean {
  return after.breaker === 'closed' || (before.breaker !== 'half_open' && !probe);
}

/** An address that may not be called will not be allowed a second later. */
function isRetriedImmediately({ error }: Attempt): boolean {
  return error !== 'ssrf_blocked';
}
