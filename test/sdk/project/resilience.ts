import { ConnectionError, Gateway, TimeoutError } from '@gateway/sdk';
import { sampleEvent, signedDelivery } from '@gateway/sdk/testing';
import { SignatureError, verifyWebhook } from '@gateway/sdk/webhooks';
import type { Connection } from './journey.js';

/** A gateway that fails as the id of a request says, and an address at which nothing listens. */
export interface Broken extends Connection {
  readonly brokenUrl: string;
  readonly closedUrl: string;
}

const hook = { name: 'shop', url: 'https://shop.example/hooks' };
const reason = new Error('the shop closes');

/** What a shop needs of its runtime when something fails. @returns what came of each step */
export async function resilience(broken: Broken, order: string): Promise<Record<string, unknown>> {
  const { brokenUrl, closedUrl, ...keys } = broken;
  const gateway = new Gateway({ ...keys, baseUrl: brokenUrl });
  const closed = new Gateway({ ...keys, baseUrl: closedUrl, maxRetries: 0 });
  const sell = (fault: string, options: object = {}) =>
    gateway.deposits.create({ amount_cents: 100, external_id: fault }, { requestId: `${fault}-${order}`, ...options });
  const startedAt = Date.now();
  const busy = await sell('busy');
  const waitedMs = Date.now() - startedAt;
  const reset = await sell('reset');
  const never = await outcomeOf(gateway.webhooks.create(hook, { requestId: `down-${order}` }));
  const { count } = await gateway.request<{ count: number }>('GET', '/v1/seen', { requestId: `count-down-${order}` });
  return {
    busy: [busy.meta.attempts, waitedMs >= 1_000],
    reset: reset.meta.attempts,
    never: [never, count],
    closed: await outcomeOf(closed.webhooks.create(hook)),
    silent: await outcomeOf(sell('hang', { timeoutMs: 200, maxRetries: 0 })),
    aborted: await outcomeOf(sell('hang', { signal: abortedAfter(100) })),
    waiting: await outcomeOf(sell('away', { signal: abortedAfter(100) })),
    reading: await outcomeOf(readCsv(gateway, order)),
    flipped: await flips(),
  };
}

async function readCsv(gateway: Gateway, order: string): Promise<void> {
  const rows = await gateway.transactions.csv({}, { signal: abortedAfter(200), requestId: `stall-${order}` });
  for await (const piece of rows) if (piece.length === 0) throw new Error('a piece is empty');
}

/** Whether each flipped bit of a body was found. */
async function flips(): Promise<boolean> {
  const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
  const { body, headers } = await signedDelivery({ secret, event: sampleEvent('deposit.paid') });
  let found = 0;
  const texts = [...body].map((_, at) => at);
  for (const at of texts) {
    const flipped = body.slice(0, at) + String.fromCharCode(body.charCodeAt(at) ^ 1) + body.slice(at + 1);
    const refused = await verifyWebhook({ body: flipped, headers, secret }).catch((error: unknown) => error);
    if (refused instanceof SignatureError && refused.reason === 'mismatch') found += 1;
  }
  return texts.length > 200 && found === texts.length;
}

async function outcomeOf(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call;
    return 'answered';
  } catch (error) {
    if (error === reason) return 'the reason of the signal';
    if (error instanceof ConnectionError) return `ConnectionError, sent ${error.sent}, attempt ${error.attempts}`;
    return error instanceof TimeoutError ? error.name : String(error);
  }
}

/** A signal in the form that the SDK asks for, of no platform. */
function abortedAfter(ms: number) {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    reason,
    addEventListener: (_: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: 'abort', listener: () => void) => void listeners.delete(listener),
  };
  setTimeout(() => {
    signal.aborted = true;
    for (const listener of listeners) listener();
  }, ms);
  return signal;
}
