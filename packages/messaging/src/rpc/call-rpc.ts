import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { DomainError, fromWireError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf, RpcContract } from '@gateway/contracts/messages';
import { currentTrace, SpanKind, withSpan } from '@gateway/runtime';
import { headersFrom, type Askable } from '#src/bus/bus.ts';
import type { BusAnswer, RequestFailure } from '#src/bus/requests.ts';
import { incoming, outgoing } from '#src/rpc/sealing.ts';
import { dataBytesOf, rpcReplySchema, timeoutHeader } from '#src/rpc/rpc-wire.ts';

const timeoutMsDefault = 5_000;
/**
 * How long a call waits for a listener: a new subscription takes a moment to be known everywhere. It is shorter than a
 * restart, so that callers of a service that is away do not pile up.
 */
const listenerTimeoutMsDefault = 1_000;
const askAgainFirstMs = 10;
const askAgainMaxMs = 200;

export interface CallOptions {
  /**
   * How long to wait for the answer, and never longer than the request has time on whose behalf it is asked; the other
   * side gives up then too. Default: all of that time, or five seconds.
   */
  readonly timeoutMs?: number;
  /** How much of it may be spent on waiting for a listener. */
  readonly listenerTimeoutMs?: number;
}

const messages: Readonly<Record<RequestFailure, (owner: string) => string>> = {
  'no-listener': (owner) => `the ${owner} service is not there`,
  late: (owner) => `the ${owner} service did not answer in time`,
  lost: (owner) => `the connection to the ${owner} service is lost`,
};

/** There was no answer: SERVICE_UNAVAILABLE. Whether the request was carried out is not known from that. */
export class NoAnswerError extends DomainError {
  /** `no`: no service has the request or will get it. `unknown`: one may have it, or may still get it. */
  readonly received: 'no' | 'unknown';

  constructor(owner: string, received: 'no' | 'unknown', reason: RequestFailure) {
    const message = messages[reason](owner);
    super('SERVICE_UNAVAILABLE', message, { retryAfterSec: 1, cause: new Error(message) });
    this.received = received;
  }
}

/**
 * Asks another service.
 *
 * @throws DomainError the refusal of the other side
 * @throws NoAnswerError without an answer in time
 */
export function callRpc<Q extends z.ZodType, A extends z.ZodType>(
  bus: Askable,
  rpc: RpcContract<Q, A>,
  request: RequestOf<RpcContract<Q, A>>,
  options: CallOptions = {},
): Promise<ReplyOf<RpcContract<Q, A>>> {
  return withSpan(rpc.subject, { kind: SpanKind.CLIENT }, async () => {
    const answer = await answerTo(bus, rpc, request, options);
    return rpc.reply.parse(incoming(rpc, 'reply', dataOf(answer), bus.secrets));
  });
}

/**
 * Asks another service for what is passed on as it is: the bytes of its answer as JSON, which nothing here reads. What our
 * own services answer is what their contract says.
 *
 * @throws as `callRpc`
 */
export function callForBytes<Q extends z.ZodType, A extends z.ZodType>(
  bus: Askable,
  rpc: RpcContract<Q, A>,
  request: RequestOf<RpcContract<Q, A>>,
  options: CallOptions = {},
): Promise<Uint8Array> {
  return withSpan(rpc.subject, { kind: SpanKind.CLIENT }, async () => {
    if (rpc.sealed) throw new Error(`${rpc.subject} is sealed, and cannot be passed on`);
    const answer = await answerTo(bus, rpc, request, options);
    return dataBytesOf(answer.data) ?? Buffer.from(JSON.stringify(dataOf(answer)));
  });
}

async function answerTo<Q extends z.ZodType, A extends z.ZodType>(
  bus: Askable,
  rpc: RpcContract<Q, A>,
  request: RequestOf<RpcContract<Q, A>>,
  { timeoutMs = Infinity, listenerTimeoutMs = listenerTimeoutMsDefault }: CallOptions,
): Promise<BusAnswer> {
  if (!bus.connected) throw new NoAnswerError(rpc.owner, 'no', 'lost');
  const payload = JSON.stringify(outgoing(rpc, 'request', request, bus.secrets));
  const longestMs = Math.min(timeoutMs, bus.leftMs());
  if (longestMs <= 0) throw new NoAnswerError(rpc.owner, 'no', 'late');
  const timing = { timeoutMs: Number.isFinite(longestMs) ? longestMs : timeoutMsDefault, listenerTimeoutMs };
  const answer = await requestUntilHeard(bus, { subject: rpc.subject, payload }, timing);
  if (typeof answer !== 'string') return answer;
  throw new NoAnswerError(rpc.owner, answer === 'no-listener' ? 'no' : 'unknown', answer);
}

/** @throws DomainError the refusal of the other side */
function dataOf(answer: BusAnswer): unknown {
  const reply = rpcReplySchema.parse(answer.json());
  if (!reply.ok) throw fromWireError(reply.error);
  return reply.data;
}

/** Without a listener nothing was delivered, so the same request is sent again: no service gets it twice. */
async function requestUntilHeard(
  bus: Askable,
  question: { readonly subject: string; readonly payload: string },
  { timeoutMs, listenerTimeoutMs }: Required<CallOptions>,
): Promise<BusAnswer | RequestFailure> {
  const startedAt = performance.now();
  const leftMs = (ofMs: number) => ofMs - (performance.now() - startedAt);
  for (let waitMs = askAgainFirstMs, remainingMs = timeoutMs; ; waitMs = Math.min(waitMs * 2, askAgainMaxMs)) {
    const headers = headersFrom(currentTrace());
    headers.set(timeoutHeader, String(Math.ceil(remainingMs)));
    const answer = await bus.request({ ...question, headers, timeoutMs: remainingMs });
    if (answer !== 'no-listener' || leftMs(Math.min(timeoutMs, listenerTimeoutMs)) <= waitMs) return answer;
    await sleep(waitMs);
    remainingMs = leftMs(timeoutMs);
  }
}
