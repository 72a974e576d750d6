import type { BenchOptions, Benchmark } from '../benchmark.ts';
import { answersHold, costsOf, figuresOf, machineNotes, measureInTurns } from '../compare.ts';
import { startEnvironment } from '../environment/environment.ts';
import { createMerchants } from '../environment/merchants.ts';
import type { Gate, Report } from '../report/report.ts';
import { startBareSender } from './bare-sender.ts';
import { EventSource } from './event-source.ts';
import { idleLatency } from './idle-latency.ts';
import { startReceivers, trustedCertificate, type TrustedCertificate } from './receivers.ts';
import {
  bareHolds,
  bareLoop,
  endpointsPerAccount,
  logHolds,
  registerEndpoints,
  warmDeliveries,
} from './warm-deliveries.ts';

const accounts = 50;
const accountsQuick = 5;

/** Plain HTTP to receivers that answer at once, each at an origin of its own. */
export const webhooksBenchmark: Benchmark = {
  name: 'webhooks',
  measures: 'warm deliveries, event to 2xx in the log, against a bare undici loop; how soon a webhook arrives',
  run: (options) => measureDeliveries(options),
};

/** The same with TLS on every connection of both. */
export const webhooksTlsBenchmark: Benchmark = {
  name: 'webhooks-tls',
  measures: 'warm deliveries over TLS, event to 2xx in the log, against a bare undici loop over TLS',
  run: async (options) => {
    using trusted = trustedCertificate();
    return await measureDeliveries(options, trusted);
  },
};

async function measureDeliveries(options: BenchOptions, tls?: TrustedCertificate): Promise<Report> {
  await using environment = await startEnvironment(options, tls?.trustedBy);
  const count = options.quick ? accountsQuick : accounts;
  using receivers = await startReceivers(count * endpointsPerAccount, tls?.certificate);
  using sender = startBareSender(tls?.trustedBy);
  await using events = await EventSource.connect(environment);
  const [single, ...merchants] = await createMerchants(environment.stack, count + 1);
  if (!single) throw new Error('the merchants were not created');
  options.progress(`registering ${receivers.origins.length} endpoints …`);
  const endpoints = await registerEndpoints(environment, merchants, receivers);
  const idle = tls ? [] : [await idleLatency(environment, single, options)];
  const subjects = [bareLoop(sender, receivers), warmDeliveries(events, merchants, receivers)];
  const measurements = await measureInTurns('warm', subjects, options);
  const figures = figuresOf(measurements);
  return {
    figures: [...figures, ...idle],
    costs: costsOf(measurements),
    gates: [
      {
        what: 'deliveries over the bare loop',
        value: figures[1]?.ratio ?? Number.NaN,
        unit: '×',
        atLeast: tls ? 0.45 : 0.35,
      },
      ...idle.flatMap(({ p50Ms, p99Ms }): Gate[] => [
        { what: 'commit → arrival, p50', value: p50Ms, unit: 'ms', atMost: 15 },
        { what: 'commit → arrival, p99', value: p99Ms, unit: 'ms', atMost: 100 },
      ]),
    ],
    invariants: [
      ...answersHold(measurements),
      await bareHolds(receivers, measurements[0]?.answered ?? 0),
      await logHolds(environment, endpoints, receivers),
    ],
    notes: machineNotes(measurements),
  };
}
