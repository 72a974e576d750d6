import type { Subscription } from '@nats-io/nats-core';
import type { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { backlogSignal, type CommandContract, type PayloadOf } from '@gateway/contracts/messages';
import { backoffMs, currentTrace, SpanKind, withSpan } from '@gateway/runtime';
import { BacklogWatch } from '#src/ledger-client/backlog-watch.ts';
import { headersFrom, type Bus } from '#src/bus/bus.ts';

/** Header that names the inbox for the answer to a command. */
export const replyToHeader = 'Gateway-Reply-To';

const timeoutMsDefault = 5_000;
/** No limit besides the deadline of the request. */
const repetitions = { firstMs: 500, maxMs: Infinity };
/** Questions waiting at once; more are turned away before waiting gets long. */
const waitingMax = 10_000;

export interface AskOptions {
  readonly timeoutMs?: number;
}

/**
 * Puts commands on a stream and waits for their answers. Without an answer the same command is put there again:
 * the receiver decides each id once, so asking twice is safe, and a lost message or answer costs only time.
 */
export class Asker implements AsyncDisposable {
  readonly #bus: Bus;
  readonly #inbox: string;
  readonly #waiting = new Map<string, (answer: unknown) => void>();
  readonly #subscription: Subscription;
  readonly #backlogs: BacklogWatch;
  #next = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
    this.#inbox = bus.inbox('ask');
    this.#backlogs = new BacklogWatch(bus);
    this.#subscription = bus.connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (!error) this.#waiting.get(message.subject)?.(message.json());
      },
    });
  }

  /**
   * @throws DomainError SERVICE_UNAVAILABLE before anything was sent when the receiver cannot keep up, or when no
   *   answer came in time: whether the command was carried out is not known, and asking again later with the same id
   *   answers it
   */
  async ask<S extends z.ZodType, A extends z.ZodType>(
    command: CommandContract<S, A>,
    payload: PayloadOf<CommandContract<S, A>>,
    { timeoutMs = timeoutMsDefault }: AskOptions = {},
  ): Promise<z.infer<A>> {
    if (this.#waiting.size >= waitingMax) throw unanswered(command, 'too many questions at once');
    const subject = command.subjectFor(payload);
    this.#backlogs.refuseIfBehind(backlogSignal(command.queueFor(payload)), command.owner);
    return await withSpan(subject, { kind: SpanKind.PRODUCER }, async () => {
      const replyTo = `${this.#inbox}.${(this.#next++).toString(36)}`;
      const headers = headersFrom({ ...currentTrace(), [replyToHeader]: replyTo });
      const text = JSON.stringify(payload);
      const publish = () => this.#bus.connection.publish(subject, text, { headers });
      const answer = new Promise<unknown>((resolve) => this.#waiting.set(replyTo, resolve));
      await this.#bus.endOfTurn();
      const repetition = repeatUntil(publish, timeoutMs, () => this.#waiting.get(replyTo)?.(expired));
      try {
        const result = await answer;
        if (result === expired) throw unanswered(command, 'no answer in time');
        return command.reply.parse(result);
      } finally {
        repetition.stop();
        this.#waiting.delete(replyTo);
      }
    });
  }

  /** Requests that still wait are answered as at their deadline: no command is sent once the connection may close. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const answer of this.#waiting.values()) answer(expired);
    await Promise.all([this.#subscription.drain(), this.#backlogs[Symbol.asyncDispose]()]);
  }
}

const expired = Symbol('expired');

/** Publishes now and again with growing delays, until it is stopped or the deadline is there. */
function repeatUntil(publish: () => void, timeoutMs: number, onDeadline: () => void): { stop(): void } {
  const deadline = performance.now() + timeoutMs;
  let repeated = 0;
  let timer: NodeJS.Timeout;
  const next = (): void => {
    if (performance.now() >= deadline) return onDeadline();
    publish();
    // A timer may fire a little early: what is left then can be over once the command is published.
    timer = setTimeout(next, Math.min(backoffMs(repeated++, repetitions), Math.max(deadline - performance.now(), 1)));
  };
  next();
  return { stop: () => clearTimeout(timer) };
}

function unanswered(command: CommandContract, reason: string): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', `the ${command.owner} service does not answer: ${reason}`, {
    retryAfterSec: 1,
  });
}
