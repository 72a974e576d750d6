import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { detailsOf, DomainError, toWireError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RpcContract } from '@gateway/contracts/messages';
import {
  databaseUnavailable,
  isConnectionError,
  type Logger,
  gauge,
  histogram,
  isRecordingSpans,
  SpanKind,
  nameIds,
  type QuestionHeaders,
  withSpan,
} from '@gateway/runtime';
import { membersOf, type Bus } from '#src/bus/bus.ts';
import { incoming, outgoing } from '#src/rpc/sealing.ts';
import { timeoutHeader, type RpcReply } from '#src/rpc/rpc-wire.ts';

const inFlightMax = 1_000;
const timeoutMsDefault = 5_000;
/** Longest wait for requests under way when the service stops. */
const drainTimeoutMs = 3_000;

const duration = histogram('gateway_rpc_duration_seconds', 'Time to answer, by subject and outcome', [
  'subject',
  'outcome',
]);

export interface RpcCall {
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Milliseconds the caller waits, counted from the arrival of the request. */
  readonly timeoutMs: number;
}

/** The signal is created on first use: few handlers use it, and it takes a timer and an error. */
class IncomingCall implements RpcCall {
  readonly timeoutMs: number;
  readonly #arrivedAt = performance.now();
  #signal: AbortSignal | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  get signal(): AbortSignal {
    const leftMs = this.#arrivedAt + this.timeoutMs - performance.now();
    return (this.#signal ??= AbortSignal.timeout(Math.max(0, Math.ceil(leftMs))));
  }
}

/** One row of a service's rpc table: a contract and who answers it. */
export interface RpcRoute {
  readonly contract: RpcContract;
  readonly handle: (request: never, call: RpcCall) => Promise<unknown>;
}

/** Ties a handler to its contract, checking both types. */
export function answering<Q extends z.ZodType, A extends z.ZodType>(
  contract: RpcContract<Q, A>,
  handle: (request: z.infer<Q>, call: RpcCall) => Promise<ReplyOf<RpcContract<Q, A>>>,
): RpcRoute {
  return { contract, handle };
}

/** A request as it arrives. */
interface Question {
  readonly headers?: QuestionHeaders | undefined;
  json(): unknown;
  answer(payload: string): Promise<void> | void;
}

/**
 * Answers requests until disposed; replicas of a service share the work through a queue group. Resolves when the server
 * knows the subscriptions: a request that was sent before would be answered with "no responders".
 */
export async function serveRpc(bus: Bus, routes: readonly RpcRoute[], logger: Logger): Promise<AsyncDisposable> {
  // A number: a set of so many short-lived promises would keep their requests until V8 collects its whole heap.
  let inFlight = 0;
  let onIdle: (() => void) | undefined;
  const underWay = gauge('gateway_rpc_in_flight', 'Requests of other services under way', () => inFlight);
  const finish = () => {
    inFlight -= 1;
    if (inFlight === 0) onIdle?.();
  };
  const take = (route: RpcRoute, question: Question): void => {
    if (inFlight >= inFlightMax) return void respond(question, refusal(overloaded()));
    inFlight += 1;
    void answer(bus, route, question, logger).finally(finish);
  };
  const subscriptions = routes.map((route) =>
    bus.connection.subscribe(route.contract.subject, {
      queue: route.contract.owner,
      callback: (error, message) => {
        if (error) return logger.error({ err: error, subject: route.contract.subject }, 'rpc subscription failed');
        take(route, {
          headers: message.headers,
          json: () => message.json(),
          answer: (payload) => bus.endOfTurn().then(() => void message.respond(payload)),
        });
      },
    }),
  );
  await bus.ping();
  const neighbourly = routes.flatMap((route) => serveNeighbours(bus, route, take));
  return {
    [Symbol.asyncDispose]: async () => {
      underWay[Symbol.dispose]();
      for (const each of neighbourly) each[Symbol.dispose]();
      await Promise.allSettled(subscriptions.map((subscription) => subscription.drain()));
      const finished = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (inFlight === 0) resolve();
      });
      await Promise.race([finished, sleep(drainTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Services of the same process ask without the broker; all others, and who may not ask, still have to ask through it. */
function serveNeighbours(bus: Bus, route: RpcRoute, take: (route: RpcRoute, question: Question) => void): Disposable[] {
  const { subject, callers } = route.contract;
  const served = bus.neighbours?.serve(subject, {
    callers,
    take: ({ payload, ...question }) => take(route, { ...question, json: () => JSON.parse(payload) as unknown }),
  });
  return served ? [served] : [];
}

async function answer(bus: Bus, route: RpcRoute, question: Question, logger: Logger): Promise<void> {
  const { subject } = route.contract;
  const started = performance.now();
  const call = new IncomingCall(Number(question.headers?.get(timeoutHeader) || timeoutMsDefault));
  const parent = isRecordingSpans() ? membersOf(question.headers) : {};
  const reply = await withSpan(`${subject} answer`, { kind: SpanKind.SERVER, parent }, async (span) => {
    try {
      const content = incoming(route.contract, 'request', question.json(), bus.secrets);
      const data = await decide(route, content, call);
      nameIds(span, content, data);
      return { ok: true, data: outgoing(route.contract, 'reply', data, bus.secrets) } as const;
    } catch (cause) {
      const error = isConnectionError(cause) && !(cause instanceof DomainError) ? databaseUnavailable(cause) : cause;
      if (!(error instanceof DomainError)) logger.error({ err: error, subject }, 'rpc failed');
      else if (error.cause !== undefined) logger.warn({ err: error, subject }, 'rpc refused');
      return refusal(error);
    }
  });
  await respond(question, reply);
  const outcome = reply.ok ? 'ok' : reply.error.code;
  duration.record((performance.now() - started) / 1_000, { subject, outcome });
}

async function decide(route: RpcRoute, content: unknown, call: RpcCall): Promise<unknown> {
  const request = route.contract.request.safeParse(content);
  if (!request.success) throw new ValidationError(detailsOf(request.error));
  return await route.handle(request.data as never, call);
}

function refusal(error: unknown): RpcReply {
  const shown = error instanceof DomainError ? error : new DomainError('INTERNAL_ERROR', 'internal error');
  return { ok: false, error: toWireError(shown) };
}

function overloaded(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'too many requests at once', { retryAfterSec: 1 });
}

/**
 * An answer that cannot be sent, since the broker takes no message of its size, is an error at once: its caller would wait
 * in vain. Where the connection has closed in between no caller is waiting any more.
 */
async function respond(question: Question, reply: RpcReply): Promise<void> {
  try {
    await question.answer(JSON.stringify(reply));
  } catch (error) {
    if (reply.ok) await respond(question, refusal(error));
  }
}
