import type { LeaseLimits } from '#src/queue/delivery-job.ts';
import type { EndpointQueue } from '#src/queue/queue-table.ts';

/** Deliveries that one claim leases of one queue, unless the queue may be prefetched. */
const perClaimMax = 8;
/** A rate limit allows at least one call at once, else the calls of half a second: claims are not made every millisecond. */
const rateBurstMinMs = 500;
/** Times of the database are whole microseconds: a call that is paid for may seem to be short of one. */
const roundingMs = 0.002;

/** How many deliveries of a queue may be leased. */
export interface LeaseQuota {
  /** Leases until the queue has as many as it may have; not positive when it has. */
  readonly free: number;
  /** Calls its rate limit allows now. */
  readonly rateAllowed: number;
  /** Deliveries to lease: what both of them and the share of the queue in this claim allow. */
  readonly leases: number;
}

/**
 * What a claim may lease of a queue.
 *
 * @param share deliveries of this claim for each of its queues; one that is prefetched may have them all at once
 */
export function quotaOfClaim(queue: EndpointQueue, limits: LeaseLimits, share: number): LeaseQuota {
  const prefetch = prefetchOf(queue, limits);
  const free = Math.max(queue.concurrency - queue.inflight, prefetch ?? -Infinity);
  const rateAllowed = callsAllowed(queue);
  const most = prefetch === undefined ? Math.min(share, perClaimMax) : share;
  return { free, rateAllowed, leases: Math.max(Math.min(free, rateAllowed, most), 0) };
}

/** When a queue is claimed from again, in milliseconds; the queue itself knows better where both are null. */
export interface QueueAfterClaim {
  /** Not before an outcome is recorded. */
  readonly saturated: boolean;
  /** The time its rate limit, or what is left of its backlog, demands. */
  readonly readyInMs: number | null;
  /** `rateDebtMs` after the calls of this claim; null without a rate limit. */
  readonly rateDebtMs: number | null;
}

export function afterClaim(queue: EndpointQueue, quota: LeaseQuota, leased: number): QueueAfterClaim {
  const perCallMs = queue.rateLimit === null ? 0 : 1_000 / queue.rateLimit;
  const debtMs = queue.rateDebtMs + leased * perCallMs;
  const after = { saturated: leased >= quota.free, rateDebtMs: queue.rateLimit === null ? null : debtMs };
  if (after.saturated) return { ...after, readyInMs: null };
  if (leased >= quota.rateAllowed) return { ...after, readyInMs: debtMs + perCallMs - burstMs(perCallMs) };
  return { ...after, readyInMs: !queue.held && leased >= quota.leases ? 0 : null };
}

/** New deliveries of one endpoint, before they are written. */
export interface LeaseRequest extends LeaseLimits {
  readonly endpointId: string;
  readonly count: number;
  /** Permits its account may still take. */
  readonly permits: number;
}

/**
 * How many new deliveries of each endpoint may be leased as they are written, without a claim: those of healthy queues
 * with nothing waiting, up to the free leases of each and `permits` in all. A queue that is served by this process alone
 * may be prefetched, beyond its permits.
 */
export function grantLeases(
  queues: ReadonlyMap<string, EndpointQueue>,
  requests: readonly LeaseRequest[],
  permits: number,
): ReadonlyMap<string, number> {
  const granted = new Map<string, number>();
  let left = permits;
  for (const request of requests) {
    const queue = queues.get(request.endpointId);
    if (!queue) continue;
    const direct = acceptsDirectly(queue);
    const free = direct ? queue.concurrency - queue.inflight : 0;
    const wanted = Math.max(Math.min(request.count, free, request.permits), 0);
    const leases = Math.min(wanted, left);
    left -= leases;
    const mayPrefetch = direct && leases === wanted && request.permits > 0;
    const prefetch = mayPrefetch ? (prefetchOf(queue, request) ?? 0) : 0;
    granted.set(request.endpointId, Math.max(leases, Math.min(request.count, prefetch)));
  }
  return granted;
}

/** A queue that is ready has deliveries waiting, which come first. */
function acceptsDirectly({ suspect, rateLimit, halted, saturated, held, ready }: EndpointQueue): boolean {
  return !(suspect || rateLimit !== null || halted || saturated || held || ready);
}

/** Leases a process may have of a healthy queue that no other process serves, beyond the concurrency of the queue. */
function prefetchOf(
  { suspect, concurrency, rateLimit, inflight }: EndpointQueue,
  { held, max }: LeaseLimits,
): number | undefined {
  const servedHere = inflight <= held;
  const prefetchable = servedHere && !suspect && rateLimit === null && max > concurrency;
  return prefetchable ? max - inflight : undefined;
}

/** A token bucket whose content is the time until the calls so far are paid for. */
function callsAllowed({ rateLimit, rateDebtMs }: EndpointQueue): number {
  if (rateLimit === null) return Infinity;
  const perCallMs = 1_000 / rateLimit;
  return Math.floor((burstMs(perCallMs) - rateDebtMs + roundingMs) / perCallMs);
}

function burstMs(perCallMs: number): number {
  return Math.max(rateBurstMinMs, perCallMs);
}
