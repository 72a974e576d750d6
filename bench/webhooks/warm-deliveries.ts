import { setTimeout as delay } from 'node:timers/promises';
import { deliveryResourceSchema } from '@gateway/public-api';
import type { Subject } from '../compare.ts';
import type { Environment } from '../environment/environment.ts';
import { inParallel, type Merchant, readList, registerWebhook } from '../environment/merchants.ts';
import { monotonicMs, type LoadResult } from '../load/load.ts';
import type { Invariant } from '../report/report.ts';
import type { BareSender } from './bare-sender.ts';
import type { EventSource } from './event-source.ts';
import type { Receivers } from './receivers.ts';

/** As many as an account may have (api.md 2). */
export const endpointsPerAccount = 20;
const path = '/hooks';
const barePath = '/bare';
/** Events that are published at the same time, and deliveries that are waited for before more are. */
const publishers = 16;
const backlogMax = 20_000;
const senders = 64;
const pollMs = 50;
const deliveryDeadlineMs = 120_000;

export interface Endpoint {
  readonly merchant: Merchant;
  readonly id: string;
}

/** Every merchant has an endpoint at each of its share of the receivers. */
export async function registerEndpoints(
  { stack }: Environment,
  merchants: readonly Merchant[],
  { origins }: Receivers,
  at = path,
): Promise<Endpoint[]> {
  const pairs = origins.flatMap((origin, index) => {
    const merchant = merchants[Math.floor(index / endpointsPerAccount)];
    return merchant ? [{ merchant, url: `${origin}${at}` }] : [];
  });
  return await inParallel(pairs, async ({ merchant, url }) => {
    return { merchant, id: await registerWebhook(stack, merchant, { url, events: ['deposit.pending'] }) };
  });
}

export function bareLoop(sender: BareSender, { origins }: Receivers): Subject {
  return {
    what: 'bare undici loop',
    load: (_label, durationMs) => sender.run({ origins, path: barePath, connections: senders, durationMs }),
  };
}

/** Deliveries per second from the first event to the last arrival, while events come faster than they can be delivered. */
export function warmDeliveries(events: EventSource, merchants: readonly Merchant[], receivers: Receivers): Subject {
  return {
    what: 'webhook deliveries',
    against: 0,
    load: async (_label, durationMs) => {
      const before = (await receivers.arrivals(path)).deliveries;
      const startedAtMs = monotonicMs();
      const published = await keepPublishing(events, merchants, durationMs, async (count) => {
        const arrived = (await receivers.arrivals(path)).deliveries - before;
        return count * endpointsPerAccount - arrived > backlogMax;
      });
      await arrivedOrLate(receivers, before + published * endpointsPerAccount);
      return await deliveriesAsResult(receivers, startedAtMs, before, published * endpointsPerAccount);
    },
  };
}

async function arrivedOrLate(receivers: Receivers, wanted: number): Promise<void> {
  const deadline = performance.now() + deliveryDeadlineMs;
  while (performance.now() < deadline && (await receivers.arrivals(path)).deliveries < wanted) await delay(pollMs);
}

/** Events for all merchants in turn, no more than a bounded backlog ahead. @returns how many */
async function keepPublishing(
  events: EventSource,
  merchants: readonly Merchant[],
  durationMs: number,
  isFarAhead: (published: number) => Promise<boolean>,
): Promise<number> {
  const endsAtMs = monotonicMs() + durationMs;
  let published = 0;
  while (monotonicMs() < endsAtMs) {
    if (await isFarAhead(published)) {
      await delay(pollMs);
      continue;
    }
    const accounts = Array.from(
      { length: publishers },
      (_, index) => merchants[(published + index) % merchants.length]?.accountId ?? '',
    );
    await Promise.all(accounts.map((accountId) => events.publish(accountId)));
    published += accounts.length;
  }
  return published;
}

async function deliveriesAsResult(
  receivers: Receivers,
  startedAtMs: number,
  before: number,
  wanted: number,
): Promise<LoadResult> {
  const { deliveries, lastAtMs } = await receivers.arrivals(path);
  const missing = wanted - (deliveries - before);
  return {
    answered: deliveries - before,
    failures: missing <= 0 ? {} : { 'did not arrive': missing },
    elapsedMs: lastAtMs - startedAtMs,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    units: [],
  };
}

/** By the delivery log: everything that arrived is known as delivered, once each. */
export async function logHolds(
  { stack }: Environment,
  endpoints: readonly Endpoint[],
  receivers: Receivers,
): Promise<Invariant> {
  const logs = await inParallel(endpoints, async ({ merchant, id }) => {
    const records = new Set<string>();
    const log = `/v1/webhooks/${id}/deliveries?status=DELIVERED`;
    for await (const { data_id } of readList(stack, merchant, log, deliveryResourceSchema)) records.add(data_id);
    return records.size;
  });
  const logged = logs.reduce((sum, count) => sum + count, 0);
  const { deliveries } = await receivers.arrivals(path);
  return {
    what: 'deliveries in the log = deliveries that arrived',
    holds: logged === deliveries && deliveries > 0,
    found: `${logged} / ${deliveries}`,
  };
}

/** The bare loop counts nothing that did not arrive. */
export async function bareHolds(receivers: Receivers, answered: number): Promise<Invariant> {
  const { deliveries } = await receivers.arrivals(barePath);
  const found = `${deliveries} / ${answered}`;
  return { what: 'bare undici loop: posts that arrived = posts answered', holds: deliveries === answered, found };
}
