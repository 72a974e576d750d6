/** Calls one receiver may have at the same time: at the start, at most, and the growth by successes in between. */
const capFirst = 2;
const capMax = 8;
/** A success that took longer halves the cap. */
const slowMs = 2_000;

/**
 * Different deliveries failing in a row that open the breaker; or two of them, failing more often than their first
 * attempts and retries at once come to. A failure that took its time weighs double: it costs more, and says more.
 */
const failingDeliveriesMax = 3;
const failuresMax = 7;
const failuresDeliveriesMin = 2;
const windowMs = 60_000;
const windowAttemptsMin = 20;
const windowFailureShare = 0.5;

const openFirstMs = 30_000;
const openMaxMs = 15 * 60_000;
/** In the first hour of failures, with its jitter, under a minute: who comes back soon is noticed soon. */
const openRecentMaxMs = 54_000;
const recentMs = 60 * 60_000;
const openJitterShare = 0.1;
/** A receiver that asks for a pause gets it, within reason. */
const askedPauseMaxMs = 15 * 60_000;

/**
 * - closed: deliveries flow
 * - open: only the oldest due delivery is sent, as a probe, when the opening is over
 * - half_open: a probe got through; the cap grows back step by step
 */
export type Breaker = 'closed' | 'open' | 'half_open';

/** What is known about the way to one endpoint (webhooks.md 5 and 7). Times are milliseconds of one clock. */
export interface Lane {
  readonly cap: number;
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
  readonly heldUntilMs: number;
  readonly windowStartedAtMs: number;
  readonly windowAttempts: number;
  readonly windowFailures: number;
}

export function newLane(nowMs: number): Lane {
  return {
    cap: capFirst,
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

export interface AttemptEnd {
  readonly deliveryId: string;
  /** The delivery had not been tried since it was created or redelivered by hand. */
  readonly first: boolean;
  readonly delivered: boolean;
  /** No retry follows at once: the delivery has had its two (spec 6, rule 2), or must not have them. */
  readonly through: boolean;
  /** The receiver answered 410. */
  readonly gone?: boolean;
  readonly latencyMs: number;
  readonly retryAfterMs?: number | undefined;
}

/** Lanes that are not known to be well use a budget of their own, so that they cannot take the place of others. */
export function isSuspect(lane: Lane): boolean {
  return lane.breaker !== 'closed' || lane.failingDeliveries.length > 0;
}

/** The lane after one more attempt has ended. */
export function afterAttempt(lane: Lane, end: AttemptEnd, nowMs: number, random: () => number): Lane {
  const counted = countInWindow(lane, end, nowMs);
  return end.delivered ? afterSuccess(counted, end) : afterFailure(counted, end, nowMs, random);
}

function afterSuccess(lane: Lane, { latencyMs }: AttemptEnd): Lane {
  const well = {
    ...lane,
    failingDeliveries: [],
    failures: 0,
    failingSinceMs: null,
    warnedHours: 0,
    goneCount: 0,
    goneSinceMs: null,
    openings: 0,
  };
  if (lane.breaker === 'open') return { ...well, ...freshWindow, breaker: 'half_open', cap: 1, heldUntilMs: -Infinity };
  if (lane.breaker === 'half_open') {
    const cap = Math.min(lane.cap * 2, capMax);
    return { ...well, cap, breaker: cap === capMax ? 'closed' : 'half_open' };
  }
  const cap = latencyMs > slowMs ? Math.max(Math.floor(lane.cap / 2), 1) : Math.min(lane.cap + 1, capMax);
  return { ...well, cap };
}

const freshWindow = { windowAttempts: 0, windowFailures: 0 };

function afterFailure(lane: Lane, end: AttemptEnd, nowMs: number, random: () => number): Lane {
  const failing = {
    ...lane,
    cap: 1,
    failures: lane.failures + (end.latencyMs > slowMs ? 2 : 1),
    failingDeliveries: withDelivery(lane.failingDeliveries, end.deliveryId),
    failingSinceMs: lane.failingSinceMs ?? nowMs,
    goneCount: end.gone ? lane.goneCount + 1 : 0,
    goneSinceMs: end.gone ? (lane.goneSinceMs ?? nowMs) : null,
    heldUntilMs: Math.max(lane.heldUntilMs, nowMs + Math.min(end.retryAfterMs ?? -Infinity, askedPauseMaxMs)),
  };
  if (lane.breaker !== 'closed' || (end.through && mustOpen(failing))) return opened(failing, nowMs, random);
  return failing;
}

/**
 * One delivery failing again and again says something about that delivery: a receiver that refuses one kind of event
 * is well. Different ones in a row say something about the receiver. Looked at when a delivery is through with its
 * retries at once, so that the delivery that opens the breaker has had all of them.
 */
function mustOpen(lane: Lane): boolean {
  if (lane.failingDeliveries.length >= failingDeliveriesMax) return true;
  if (lane.failures >= failuresMax && lane.failingDeliveries.length >= failuresDeliveriesMin) return true;
  return lane.windowAttempts >= windowAttemptsMin && lane.windowFailures >= lane.windowAttempts * windowFailureShare;
}

/** A failure that arrives while the breaker is open already (its call had started before) does not prolong it. */
function opened(lane: Lane, nowMs: number, random: () => number): Lane {
  if (lane.breaker === 'open' && nowMs < lane.heldUntilMs) return lane;
  const recent = nowMs - (lane.failingSinceMs ?? nowMs) < recentMs;
  const openMs =
    Math.min(openFirstMs * 2 ** lane.openings, recent ? openRecentMaxMs : openMaxMs) * (1 + random() * openJitterShare);
  const heldUntilMs = Math.max(lane.heldUntilMs, nowMs + openMs);
  return { ...lane, ...freshWindow, breaker: 'open', openings: lane.openings + 1, heldUntilMs };
}

function withDelivery(failing: readonly string[], deliveryId: string): readonly string[] {
  return failing.includes(deliveryId) ? failing : [...failing, deliveryId].slice(-failingDeliveriesMax);
}

/** Counts deliveries, not their retries, over about a minute. */
function countInWindow(lane: Lane, { first, delivered }: AttemptEnd, nowMs: number): Lane {
  if (!first) return lane;
  const window =
    nowMs - lane.windowStartedAtMs > windowMs ? { ...lane, ...freshWindow, windowStartedAtMs: nowMs } : lane;
  return {
    ...window,
    windowAttempts: window.windowAttempts + 1,
    windowFailures: window.windowFailures + (delivered ? 0 : 1),
  };
}
