import { backoffMs } from '@gateway/runtime';

/** Concurrent calls of one receiver: at the start, and at most; each success adds one. */
const concurrencyFirst = 2;
const concurrencyMax = 8;
/** A success that took longer halves the concurrency. */
const slowMs = 2_000;

/**
 * Different deliveries failing in a row that open the breaker; or two of them with more failures than their first
 * attempts and immediate retries come to. A slow failure counts twice, since it holds its connection for seconds.
 */
const failingDeliveriesMax = 3;
const failuresMax = 7;
const failuresDeliveriesMin = 2;
const windowMs = 60_000;
const windowAttemptsMin = 20;
const windowFailureShare = 0.5;

const openFirstMs = 30_000;
const openMaxMs = 15 * 60_000;
/** In the first hour of failures the opening stays, with its jitter, under a minute: a short outage ends soon. */
const openRecentMaxMs = 54_000;
const recentMs = 60 * 60_000;
const openJitterShare = 0.1;
/** The longest pause a receiver may ask for with `Retry-After`. */
const askedPauseMaxMs = 15 * 60_000;

/**
 * - closed: deliveries are sent
 * - open: only the oldest due delivery is sent, as a probe, when the opening is over
 * - half_open: a probe was delivered; the concurrency grows back step by step
 */
export type Breaker = 'closed' | 'open' | 'half_open';

/**
 * How the receiver of one endpoint has answered lately, and what follows from it: how many calls it may have at once, and
 * whether its breaker lets them pass. Times are milliseconds of the database's clock (webhooks.md 5 and 7).
 */
export interface QueueState {
  /** Calls it may have at once. */
  readonly concurrency: number;
  readonly breaker: Breaker;
  /** Openings in a row without a success between them. */
  readonly openings: number;
  /** Different deliveries that failed since the last success. */
  readonly failingDeliveries: readonly string[];
  /** Calls that failed since the last success; slow ones count twice. */
  readonly failures: number;
  readonly failingSinceMs: number | null;
  /** Hours of failures the owner was last warned about. */
  readonly warnedHours: number;
  /** Answers of 410 in a row, and the first of them. */
  readonly goneCount: number;
  readonly goneSinceMs: number | null;
  /** Nothing is sent before this time, except by a probe or in a delivery's last hour. */
  readonly heldUntilMs: number;
  readonly windowStartedAtMs: number;
  readonly windowAttempts: number;
  readonly windowFailures: number;
}

export function initialQueueState(nowMs: number): QueueState {
  return {
    concurrency: concurrencyFirst,
    breaker: 'closed',
    openings: 0,
    failingDeliveries: [],
    failures: 0,
    failingSinceMs: null,
    warnedHours: 0,
    goneCount: 0,
    goneSinceMs: null,
    heldUntilMs: -Infinity,
    windowStartedAtMs: nowMs,
    windowAttempts: 0,
    windowFailures: 0,
  };
}

/** The part of an attempt that changes the state of its queue. */
export interface AttemptSummary {
  readonly deliveryId: string;
  /** The first attempt since the delivery was created or sent again by hand. */
  readonly first: boolean;
  readonly delivered: boolean;
  /** No immediate retry follows: the delivery has had both, or must not have them. */
  readonly immediateRetriesDone: boolean;
  /** The receiver answered 410. */
  readonly gone?: boolean;
  readonly latencyMs: number;
  readonly retryAfterMs?: number | undefined;
}

/** Endpoints that failed last use a pool of permits of their own, so that they cannot take those of healthy ones. */
export function isSuspect(state: QueueState): boolean {
  return state.breaker !== 'closed' || state.failingDeliveries.length > 0;
}

/** The state after one more attempt has ended. */
export function afterAttempt(
  state: QueueState,
  attempt: AttemptSummary,
  nowMs: number,
  random: () => number,
): QueueState {
  const counted = countInWindow(state, attempt, nowMs);
  return attempt.delivered ? afterSuccess(counted, attempt) : afterFailure(counted, attempt, nowMs, random);
}

function afterSuccess(state: QueueState, { latencyMs }: AttemptSummary): QueueState {
  const recovered = {
    ...state,
    failingDeliveries: [],
    failures: 0,
    failingSinceMs: null,
    warnedHours: 0,
    goneCount: 0,
    goneSinceMs: null,
    openings: 0,
  };
  if (state.breaker === 'open')
    return { ...recovered, ...freshWindow, breaker: 'half_open', concurrency: 1, heldUntilMs: -Infinity };
  if (state.breaker === 'half_open') {
    const concurrency = Math.min(state.concurrency * 2, concurrencyMax);
    return { ...recovered, concurrency, breaker: concurrency === concurrencyMax ? 'closed' : 'half_open' };
  }
  const concurrency =
    latencyMs > slowMs
      ? Math.max(Math.floor(state.concurrency / 2), 1)
      : Math.min(state.concurrency + 1, concurrencyMax);
  return { ...recovered, concurrency };
}

const freshWindow = { windowAttempts: 0, windowFailures: 0 };

function afterFailure(state: QueueState, attempt: AttemptSummary, nowMs: number, random: () => number): QueueState {
  const failing = {
    ...state,
    concurrency: 1,
    failures: state.failures + (attempt.latencyMs > slowMs ? 2 : 1),
    failingDeliveries: withDelivery(state.failingDeliveries, attempt.deliveryId),
    failingSinceMs: state.failingSinceMs ?? nowMs,
    goneCount: attempt.gone ? state.goneCount + 1 : 0,
    goneSinceMs: attempt.gone ? (state.goneSinceMs ?? nowMs) : null,
    heldUntilMs: Math.max(state.heldUntilMs, nowMs + Math.min(attempt.retryAfterMs ?? -Infinity, askedPauseMaxMs)),
  };
  if (state.breaker !== 'closed' || (attempt.immediateRetriesDone && shouldOpen(failing)))
    return opened(failing, nowMs, random);
  return failing;
}

/**
 * One delivery that fails again and again says something about that delivery: a receiver that refuses one kind of event
 * is healthy. Different ones in a row say something about the receiver. Evaluated when a delivery has had its immediate
 * retries, so that the delivery that opens the breaker has had all of them.
 */
function shouldOpen(state: QueueState): boolean {
  if (state.failingDeliveries.length >= failingDeliveriesMax) return true;
  if (state.failures >= failuresMax && state.failingDeliveries.length >= failuresDeliveriesMin) return true;
  return state.windowAttempts >= windowAttemptsMin && state.windowFailures >= state.windowAttempts * windowFailureShare;
}

/** A failure that arrives while the breaker is open already (its call had started before) does not prolong it. */
function opened(state: QueueState, nowMs: number, random: () => number): QueueState {
  if (state.breaker === 'open' && nowMs < state.heldUntilMs) return state;
  const recent = nowMs - (state.failingSinceMs ?? nowMs) < recentMs;
  const openMs =
    backoffMs(state.openings, { firstMs: openFirstMs, maxMs: recent ? openRecentMaxMs : openMaxMs }) *
    (1 + random() * openJitterShare);
  const heldUntilMs = Math.max(state.heldUntilMs, nowMs + openMs);
  return { ...state, ...freshWindow, breaker: 'open', openings: state.openings + 1, heldUntilMs };
}

function withDelivery(failing: readonly string[], deliveryId: string): readonly string[] {
  return failing.includes(deliveryId) ? failing : [...failing, deliveryId].slice(-failingDeliveriesMax);
}

/** Counts deliveries, not their retries, over about a minute. */
function countInWindow(state: QueueState, { first, delivered }: AttemptSummary, nowMs: number): QueueState {
  if (!first) return state;
  const window =
    nowMs - state.windowStartedAtMs > windowMs ? { ...state, ...freshWindow, windowStartedAtMs: nowMs } : state;
  return {
    ...window,
    windowAttempts: window.windowAttempts + 1,
    windowFailures: window.windowFailures + (delivered ? 0 : 1),
  };
}
