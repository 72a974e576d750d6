import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from '../benchmark.ts';
import { creationStep } from '../deposits/full-flow.ts';
import { startWebhookReceiver } from '../deposits/webhook-receiver.ts';
import type { Environment } from '../environment/environment.ts';
import { type Merchant, registerWebhook } from '../environment/merchants.ts';
import { percentile } from '../load/percentile.ts';
import type { Figures } from '../report/report.ts';

const depositsPerSecond = 20;
const connections = 8;
const pollMs = 20;
const deliveryDeadlineMs = 30_000;

/** From the answer to a creation, which follows its commit at once, to the arrival of its webhook, nothing else to do. */
export async function idleLatency(
  { stack, load }: Environment,
  merchant: Merchant,
  { seconds }: BenchOptions,
): Promise<Figures> {
  await using receiver = await startWebhookReceiver();
  await registerWebhook(stack, merchant, { url: receiver.url, events: ['deposit.pending'] });
  const pace = { kind: 'open', connections, ratePerSecond: depositsPerSecond, durationMs: seconds * 1_000 } as const;
  const job = { name: 'idle', origin: stack.baseUrl, steps: [creationStep], callers: [merchant.headers], pace };
  const { units, elapsedMs } = await load.run({ ...job, listUnits: true });
  const deadline = performance.now() + deliveryDeadlineMs;
  while (performance.now() < deadline && receiver.arrivedAtMs.size < units.length) await delay(pollMs);
  const ascending = Float64Array.from(units, ({ id, answeredAtMs }) =>
    // The webhook may well overtake the answer.
    Math.max(0, (receiver.arrivedAtMs.get(id) ?? Infinity) - answeredAtMs),
  ).sort();
  return {
    what: `commit → arrival, ${depositsPerSecond}/s`,
    ratePerSecond: (units.length * 1_000) / elapsedMs,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
  };
}
