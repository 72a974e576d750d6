import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { answerParent } from '../load/child.ts';
import { monotonicMs, type LoadResult } from '../load/load.ts';
import { percentile } from '../load/percentile.ts';
import type { SendingJob } from './bare-sender.ts';

/** What webhooks are measured against: signed posts over kept connections, and nothing remembered. */
const deliveryTimeoutMs = 7_000;
const connectionsPerOrigin = 4;
const secret = 'whsec_benchmark';
const body = JSON.stringify({
  event: 'deposit.pending',
  created_at: 0,
  environment: 'test',
  data: { text: 'x'.repeat(1_100) },
});
const dispatcher = new Agent({ connections: connectionsPerOrigin, keepAliveTimeout: 60_000 });

answerParent(send);

async function send({ origins, path, connections, durationMs }: SendingJob): Promise<LoadResult> {
  const startedAtMs = monotonicMs();
  const latenciesMs: number[] = [];
  const failures: Record<string, number> = {};
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let now = monotonicMs(); now < startedAtMs + durationMs; now = monotonicMs()) {
      const status = await deliver(`${origins[next++ % origins.length] ?? ''}${path}`);
      if (status === '204') latenciesMs.push(monotonicMs() - now);
      else failures[status] = (failures[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const ascending = Float64Array.from(latenciesMs).sort();
  return {
    answered: ascending.length,
    failures,
    elapsedMs: monotonicMs() - startedAtMs,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
    units: [],
  };
}

async function deliver(url: string): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-gateway-timestamp': String(timestamp),
    'x-gateway-signature': `sha256=${signature}`,
  };
  const signal = AbortSignal.timeout(deliveryTimeoutMs);
  try {
    const response = await request(url, { method: 'POST', headers, body, signal, dispatcher });
    await response.body.dump();
    return String(response.statusCode);
  } catch (error) {
    return (error as Error).name;
  }
}
