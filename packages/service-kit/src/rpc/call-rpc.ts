import type { z } from 'zod';
import { DomainError, fromWireError, type ReplyOf, type RequestOf, type RpcContract } from '@gateway/contracts';
import { headersFrom, type Bus } from '#src/bus/bus.ts';
import type { RequestFailure } from '#src/bus/requests.ts';
import { rpcReplySchema, timeoutHeader } from '#src/rpc/rpc-wire.ts';
import { currentTrace, SpanKind, withSpan } from '#src/telemetry/span.ts';

const timeoutMsDefault = 5_000;

export interface CallOptions {
  /** How long to wait for the answer; the other side gives up then too. */
  readonly timeoutMs?: number;
}

const reasons: Readonly<Record<RequestFailure, string>> = {
  nobody: 'nobody listens on the subject',
  late: 'no answer in time',
  lost: 'the connection to NATS is lost',
};

/** Nobody answered: SERVICE_UNAVAILABLE. Whether somebody has carried it out all the same is another question. */
export class NoAnswerError extends DomainError {
  /** `no`: nobody has the request, and nobody will. `unknown`: somebody may have it, or may still get it. */
  readonly received: 'no' | 'unknown';

  constructor(owner: string, received: 'no' | 'unknown', reason: RequestFailure) {
    const cause = new Error(reasons[reason]);
    super('SERVICE_UNAVAILABLE', `the ${owner} service does not answer`, { retryAfterSec: 1, cause });
    this.received = received;
  }
}

/**
 * Asks another service.
 *
 * @throws DomainError the refusal of the other side
 * @throws NoAnswerError when nobody answers in time
 */
export async function callRpc<Q extends z.ZodType, A extends z.ZodType>(
  bus: Bus,
  rpc: RpcContract<Q, A>,
  request: RequestOf<RpcContract<Q, A>>,
  { timeoutMs = timeoutMsDefault }: CallOptions = {},
): Promise<ReplyOf<RpcContract<Q, A>>> {
  return await withSpan(rpc.subject, { kind: SpanKind.CLIENT }, async () => {
    if (!bus.connected) throw new NoAnswerError(rpc.owner, 'no', 'lost');
    await bus.endOfTurn();
    const headers = headersFrom(currentTrace());
    headers.set(timeoutHeader, String(timeoutMs));
    const answer = await bus.request({ subject: rpc.subject, payload: JSON.stringify(request), headers, timeoutMs });
    if (typeof answer === 'string') throw new NoAnswerError(rpc.owner, answer === 'nobody' ? 'no' : 'unknown', answer);
    const reply = rpcReplySchema.parse(answer.json());
    if (!reply.ok) throw fromWireError(reply.error);
    return rpc.reply.parse(reply.data);
  });
}
