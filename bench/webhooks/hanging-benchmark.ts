import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark } from '../benchmark.ts';
import { startEnvironment } from '../environment/environment.ts';
import { createMerchants, type Merchant } from '../environment/merchants.ts';
import { monotonicMs } from '../load/load.ts';
import { percentile } from '../load/percentile.ts';
import type { Figures, Invariant } from '../report/report.ts';
import { EventSource } from './event-source.ts';
import { startReceivers, timedPath, type Receivers, type TimedArrival } from './receivers.ts';
import { endpointsPerAccount, registerEndpoints } from './warm-deliveries.ts';

const accounts = 100;
const accountsQuick = 5;
/**
 * Of all accounts together; each event goes to all endpoints of its account. Some 500 deliveries a second are what two
 * cores carry beside the receivers without a queue: the wait is then what hanging endpoints cause, and nothing else.
 */
const eventsPerSecond = 25;
/** Of each account one endpoint, which are 5 %. */
const hangingEach = endpointsPerAccount;
const pollMs = 100;
const deadlineMs = 30_000;

/** The same load twice: when all endpoints answer, and when one in twenty takes the request and never answers. */
export const hangingBenchmark: Benchmark = {
  name: 'webhooks-hanging',
  measures: 'how long healthy endpoints wait while 5 % of all endpoints hang, against the same load with none hanging',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const count = options.quick ? accountsQuick : accounts;
    using receivers = await startReceivers(count * endpointsPerAccount);
    await using events = await EventSource.connect(environment);
    const merchants = await createMerchants(environment.stack, count);
    options.progress(`registering ${receivers.origins.length} endpoints …`);
    await registerEndpoints(environment, merchants, receivers, timedPath);
    const run = (what: string) => measure({ what, events, merchants, receivers, seconds: options.seconds * 2 });
    await run('warm-up');
    const well = await run('none hangs');
    await receivers.hang(hangingEach);
    const hanging = await run('5 % hang');
    return {
      figures: [well.figures, hanging.figures],
      gates: [{ what: 'healthy, p99 while 5 % hang', value: hanging.figures.p99Ms, unit: 'ms', atMost: 250 }],
      invariants: [well.invariant, hanging.invariant],
      notes: [
        `${receivers.origins.length} endpoints, ${eventsPerSecond * endpointsPerAccount} deliveries/s, from event to arrival`,
      ],
    };
  },
};

interface Load {
  readonly what: string;
  readonly events: EventSource;
  readonly merchants: readonly Merchant[];
  readonly receivers: Receivers;
  readonly seconds: number;
}

/** Publishes at a fixed rate, whatever the deliveries do, and reconciles every event at every healthy endpoint. */
async function measure({
  what,
  events,
  merchants,
  receivers,
  seconds,
}: Load): Promise<{ figures: Figures; invariant: Invariant }> {
  const publishedAtMs = new Map<string, number>();
  const publishing: Promise<void>[] = [];
  const startedAtMs = monotonicMs();
  for (let n = 0; n < seconds * eventsPerSecond; n++) {
    const dueAtMs = startedAtMs + (n * 1_000) / eventsPerSecond;
    await delay(Math.max(dueAtMs - monotonicMs(), 0));
    const accountId = merchants[n % merchants.length]?.accountId ?? '';
    publishing.push(events.publish(accountId).then((id) => void publishedAtMs.set(id, dueAtMs)));
  }
  await Promise.all(publishing);
  const wanted = publishedAtMs.size * (endpointsPerAccount - 1);
  const arrivals = new Map<string, TimedArrival>();
  let repeated = 0;
  for (const deadline = monotonicMs() + deadlineMs; arrivals.size < wanted && monotonicMs() < deadline;) {
    await delay(pollMs);
    for (const arrival of (await receivers.timed()).filter(({ server }) => server % hangingEach !== 0)) {
      const key = `${arrival.server} ${arrival.id}`;
      if (arrivals.has(key)) repeated += 1;
      else arrivals.set(key, arrival);
    }
  }
  const waitsMs = [...arrivals.values()].map(({ id, atMs }) => atMs - (publishedAtMs.get(id) ?? Number.NaN));
  const ascending = Float64Array.from(waitsMs).sort();
  return {
    figures: {
      what,
      ratePerSecond: arrivals.size / seconds,
      p50Ms: percentile(ascending, 0.5),
      p99Ms: percentile(ascending, 0.99),
    },
    invariant: {
      what: `${what}: each event arrived at each healthy endpoint, once`,
      holds: arrivals.size === wanted && repeated === 0,
      found: `${arrivals.size} / ${wanted}, ${repeated} repeated`,
    },
  };
}
