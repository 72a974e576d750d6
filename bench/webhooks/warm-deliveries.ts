import { setTimeout as delay } from 'node:timers/promises';
import { deliveryResourceSchema } from '@gateway/contracts';
import { creationStep } from '../deposits/creation-step.ts';
import type { LoadResult } from '../load/load-job.ts';
import type { Invariant } from '../report/report.ts';
import type { Contender } from '../rounds/contender.ts';
import { inParallel, type Merchant } from '../stage/merchants.ts';
import { readList } from '../stage/read-list.ts';
import { registerWebhook } from '../stage/register-webhook.ts';
import type { Stage } from '../stage/start-stage.ts';
import type { BareSender } from './bare-sender.ts';
import type { Receivers } from './receivers.ts';

/** As many as an account may have (api.md 2). */
export const endpointsPerAccount = 20;
const path = '/hooks';
const barePath = '/bare';
/** Times the endpoints of an account: more deliveries than can be sent. */
const depositsPerSecond = 300;
const connections = 32;
const senders = 64;
const pollMs = 50;
const deliveryDeadlineMs = 120_000;

export interface Endpoint {
  readonly merchant: Merchant;
  readonly id: string;
}

/** Every merchant has an endpoint at each of its share of the receivers. */
export async function registerEndpoints(
  { stack }: Stage,
  merchants: readonly Merchant[],
  { origins }: Receivers,
): Promise<Endpoint[]> {
  const pairs = origins.flatMap((origin, index) => {
    const merchant = merchants[Math.floor(index / endpointsPerAccount)];
    return merchant ? [{ merchant, url: `${origin}${path}` }] : [];
  });
  return await inParallel(pairs, async ({ merchant, url }) => {
    return { merchant, id: await registerWebhook(stack, merchant, { url, events: ['deposit.pending'] }) };
  });
}

export function bareLoop(sender: BareSender, { origins }: Receivers): Contender {
  return {
    what: 'bare undici loop',
    load: (_label, durationMs) => sender.run({ origins, path: barePath, connections: senders, durationMs }),
  };
}

/** Deliveries per second from the first arrival to the last, while events come faster than they can be delivered. */
export function warmDeliveries(
  { stack, load }: Stage,
  merchants: readonly Merchant[],
  receivers: Receivers,
): Contender {
  const callers = merchants.map(({ headers }) => headers);
  return {
    what: 'webhook deliveries',
    against: 0,
    load: async (name, durationMs) => {
      const before = await receivers.arrivals(path);
      const pace = { kind: 'open', connections, durationMs, ratePerSecond: depositsPerSecond } as const;
      const job = { name, origin: stack.baseUrl, steps: [creationStep], callers, pace, listUnits: true };
      const created = await load.run(job);
      const wanted = before.deliveries + created.answered * endpointsPerAccount;
      await arrivedOrLate(receivers, wanted);
      return await deliveriesAsResult(receivers, created, before.deliveries);
    },
  };
}

async function arrivedOrLate(receivers: Receivers, wanted: number): Promise<void> {
  const deadline = performance.now() + deliveryDeadlineMs;
  while (performance.now() < deadline && (await receivers.arrivals(path)).deliveries < wanted) await delay(pollMs);
}

async function deliveriesAsResult(receivers: Receivers, created: LoadResult, before: number): Promise<LoadResult> {
  const { deliveries, lastAtMs } = await receivers.arrivals(path);
  const firstMs = created.units.reduce((first, { answeredAtMs }) => Math.min(first, answeredAtMs), Infinity);
  return {
    ...created,
    answered: deliveries - before,
    elapsedMs: lastAtMs - firstMs,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    units: [],
  };
}

/** By the delivery log: everything that arrived is known as delivered, once each. */
export async function logHolds(
  { stack }: Stage,
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
