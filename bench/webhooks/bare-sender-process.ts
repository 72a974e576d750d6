import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { answerParent } from '../load/child.ts';
import { callInLoop } from '../load/closed-loop.ts';
import type { LoadResult } from '../load/load.ts';
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

async function send({ origins, path, ...pace }: SendingJob): Promise<LoadResult> {
  let next = 0;
  return await callInLoop(async () => {
    const status = await deliver(`${origins[next++ % origins.length] ?? ''}${path}`);
    return status === '204' ? undefined : status;
  }, pace);
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
