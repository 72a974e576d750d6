import { describe, expect, test } from 'vitest';
import { noLeases } from '#src/queue/delivery-job.ts';
import { afterClaim, grantLeases, quotaOfClaim, type LeaseRequest } from '#src/queue/lease-quota.ts';
import type { EndpointQueue } from '#src/queue/queue-table.ts';

function queueWith(given: Partial<EndpointQueue> = {}): EndpointQueue {
  return {
    endpointId: 'shop',
    accountKey: 'live acc_1',
    inflight: 0,
    halted: false,
    saturated: false,
    held: false,
    ready: false,
    rateLimit: null,
    rateDebtMs: 0,
    concurrency: 8,
    suspect: false,
    breaker: 'closed',
    ...given,
  };
}

describe('a claim', () => {
  test('leases of a queue what its concurrency leaves, at most eight and at most its share', () => {
    expect(quotaOfClaim(queueWith(), noLeases, 64).leases).toBe(8);
    expect(quotaOfClaim(queueWith(), noLeases, 3).leases).toBe(3);
    expect(quotaOfClaim(queueWith({ inflight: 6 }), noLeases, 64).leases).toBe(2);
    expect(quotaOfClaim(queueWith({ inflight: 9 }), noLeases, 64)).toMatchObject({ leases: 0, free: -1 });
  });

  test('prefetches of a healthy queue that only this process serves, and of no other', () => {
    const limits = { held: 8, max: 40 };
    expect(quotaOfClaim(queueWith({ inflight: 8 }), limits, 64).leases).toBe(32);
    expect(quotaOfClaim(queueWith({ inflight: 9 }), limits, 64).leases).toBe(0);
    expect(quotaOfClaim(queueWith({ inflight: 8, rateLimit: 1_000 }), limits, 64).leases).toBe(0);
    expect(quotaOfClaim(queueWith({ inflight: 8, suspect: true }), limits, 64).leases).toBe(0);
  });

  test('leases no more calls than a rate limit allows, and comes back when the next one is paid for', () => {
    const limited = queueWith({ rateLimit: 10 });
    const quota = quotaOfClaim(limited, noLeases, 64);
    expect(quota).toMatchObject({ rateAllowed: 5, leases: 5 });
    expect(afterClaim(limited, quota, 5)).toEqual({ saturated: false, readyInMs: 100, rateDebtMs: 500 });
    expect(quotaOfClaim(queueWith({ rateLimit: 10, rateDebtMs: 400 }), noLeases, 64).leases).toBe(1);
    expect(quotaOfClaim(queueWith({ rateLimit: 10, rateDebtMs: 500 }), noLeases, 64).leases).toBe(0);
  });

  test('allows one call at once of a receiver that may have one a second', () => {
    expect(quotaOfClaim(queueWith({ rateLimit: 1 }), noLeases, 64).leases).toBe(1);
    expect(quotaOfClaim(queueWith({ rateLimit: 1, rateDebtMs: 1 }), noLeases, 64).leases).toBe(0);
  });

  test('counts a call as paid for although its time was rounded to a microsecond', () => {
    expect(quotaOfClaim(queueWith({ rateLimit: 3, rateDebtMs: 166.667 }), noLeases, 64).leases).toBe(1);
  });

  test('leaves a queue without a free lease to the next outcome, and one with more due ready', () => {
    const queue = queueWith({ inflight: 6 });
    const quota = quotaOfClaim(queue, noLeases, 64);
    expect(afterClaim(queue, quota, 2)).toEqual({ saturated: true, readyInMs: null, rateDebtMs: null });
    expect(afterClaim(queue, quota, 1)).toEqual({ saturated: false, readyInMs: null, rateDebtMs: null });
    const shared = quotaOfClaim(queueWith(), noLeases, 3);
    expect(afterClaim(queueWith(), shared, 3)).toEqual({ saturated: false, readyInMs: 0, rateDebtMs: null });
    expect(afterClaim(queueWith({ held: true }), shared, 3)).toMatchObject({ readyInMs: null });
  });
});

describe('new deliveries', () => {
  const request = (given: Partial<LeaseRequest> = {}): LeaseRequest => ({
    ...{ endpointId: 'shop', count: 20, permits: 20 },
    ...noLeases,
    ...given,
  });
  const granted = (queue: EndpointQueue, given: Partial<LeaseRequest> = {}, permits = 256) =>
    grantLeases(new Map([['shop', queue]]), [request(given)], permits).get('shop');

  test('are leased as they are written, up to the concurrency of their queue and the permits of their account', () => {
    expect(granted(queueWith())).toBe(8);
    expect(granted(queueWith({ inflight: 5 }))).toBe(3);
    expect(granted(queueWith(), { permits: 2 })).toBe(2);
    expect(granted(queueWith(), { count: 1 })).toBe(1);
    expect(granted(queueWith(), {}, 4)).toBe(4);
  });

  test('wait for a claim where anything waits before them, or the receiver must not be called freely', () => {
    const { ready, held, halted, saturated, limited, suspect } = {
      ready: { ready: true },
      held: { held: true },
      halted: { halted: true },
      saturated: { saturated: true },
      limited: { rateLimit: 10 },
      suspect: { suspect: true },
    };
    for (const given of [ready, held, halted, saturated, limited, suspect]) {
      expect(granted(queueWith(given), { held: 0, max: 40 })).toBe(0);
    }
  });

  test('are prefetched beyond the permits for a queue that only this process serves, unless its account has none', () => {
    expect(granted(queueWith({ inflight: 8 }), { held: 8, max: 40 })).toBe(20);
    expect(granted(queueWith({ inflight: 9 }), { held: 8, max: 40 })).toBe(0);
    expect(granted(queueWith({ inflight: 8 }), { held: 8, max: 40, permits: 0 })).toBe(0);
    expect(granted(queueWith(), { held: 0, max: 40 }, 4)).toBe(4);
  });

  test('of a removed endpoint get no answer, so that they are not written', () => {
    expect(grantLeases(new Map(), [request()], 256).has('shop')).toBe(false);
  });

  test('of the endpoints of one request share its permits in turn', () => {
    const queues = new Map([
      ['a', queueWith({ endpointId: 'a' })],
      ['b', queueWith({ endpointId: 'b' })],
    ]);
    const requests = [request({ endpointId: 'a' }), request({ endpointId: 'b' })];
    expect([...grantLeases(queues, requests, 10).values()]).toEqual([8, 2]);
  });
});
