import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signedDelivery } from '@gateway/sdk/testing';
import type { LoggedEvent } from './follow.ts';

export interface Receiver {
  readonly url: string;
  /** The `whsec_…` it is signed with. */
  readonly secret: string;
  /** Sent besides. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where each delivery is kept, for `verify`. */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
  /** Nothing listens there: it is tried until something does. Called once for each event. */
  readonly onUnreachable: (url: string) => void;
}

export interface Forwarded {
  /** Null when no answer came in time. */
  readonly status: number | null;
  readonly ms: number;
  /** How often it was sent. */
  readonly attempts: number;
}

/** As the gateway has it (webhooks.md). */
const answerTimeoutMs = 7_000;
const attemptsMax = 3;
const unreachablePollMs = 1_000;

/**
 * Sends an event to a receiver as the gateway would: the same body, headers and signatures, twice again at once after a
 * failure. A receiver that is not there is waited for, so that its restart loses nothing.
 *
 * @throws the reason of the signal, and then the event counts as not forwarded
 */
export async function forwarded(event: LoggedEvent, receiver: Receiver): Promise<Forwarded> {
  const startedAt = Date.now();
  let isReported = false;
  for (let attempt = 1; ;) {
    receiver.signal.throwIfAborted();
    const status = await sendOnce(event, receiver, attempt);
    if (status === 'unreachable') {
      if (!isReported) receiver.onUnreachable(receiver.url);
      isReported = true;
      await pause(unreachablePollMs, undefined, { signal: receiver.signal });
      continue;
    }
    const isDelivered = status !== null && status >= 200 && status < 300;
    if (isDelivered || attempt === attemptsMax) return { status, ms: Date.now() - startedAt, attempts: attempt };
    attempt += 1;
  }
}

async function sendOnce(
  { id, event, created_at, environment, data }: LoggedEvent,
  { url, secret, headers: own, folder, signal }: Receiver,
  attempt: number,
): Promise<number | null | 'unreachable'> {
  // In the order in which the gateway writes them.
  const body = { id, event, created_at, environment, data };
  const delivery = await signedDelivery({ secret, attempt, event: body });
  const headers = { ...own, ...delivery.headers, 'user-agent': 'Gateway-Webhooks/1', 'accept-encoding': 'identity' };
  if (folder !== undefined) save(folder, id, delivery.body, headers);
  const inTime = AbortSignal.timeout(answerTimeoutMs);
  try {
    const request = { method: 'POST', headers, body: delivery.body, redirect: 'manual' } as const;
    const response = await fetch(url, { ...request, signal: AbortSignal.any([signal, inTime]) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    return isUnreachable(error) ? 'unreachable' : null;
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function isUnreachable(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string' && unreachable.has(code)) return true;
  // Several addresses were tried.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnreachable);
  return typeof cause === 'object' && cause !== null && isUnreachable(cause);
}

function save(folder: string, id: string, body: string, headers: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.json`), body);
  writeFileSync(join(folder, `${id}.headers.json`), `${JSON.stringify(headers, null, 2)}\n`);
}
