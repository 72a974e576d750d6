import type { Subscription } from '@nats-io/nats-core';
import type { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import type { ChainLink } from '@gateway/contracts/ledger';
import { backlogSignal, type CommandContract, type PayloadOf } from '@gateway/contracts/messages';
import { backoffMs, currentTrace, SpanKind, spanIsAbout, withSpan } from '@gateway/runtime';
import { BacklogWatch } from '#src/ledger-client/backlog-watch.ts';
import { headersFrom, type Bus } from '#src/bus/bus.ts';

/** Header that names the inbox for the answer to a command. */
export const replyToHeader = 'Gateway-Reply-To';

const timeoutMsDefault = 5_000;
/** No limit besides the deadline of the request. */
const retryBackoff = { firstMs: 500, maxMs: Infinity };
/** Requests in flight; more are refused before the wait for an answer gets long. */
const inFlightMax = 10_000;

type OnLink = (environment: string, link: ChainLink) => void;

/**
 * Publishes commands to the ledger's stream and waits for their results. Without a result the same command is published
 * again: the ledger decides each command id once, so a retry is safe, and a lost message or reply costs time only.
 */
export class LedgerCommandClient implements AsyncDisposable {
  readonly #bus: Bus;
  readonly #inbox: string;
  readonly #inFlight = new Map<string, (answer: unknown) => void>();
  readonly #subscription: Subscription;
  readonly #backlogs: BacklogWatch;
  readonly #onLink: OnLink | undefined;
  #next = 0;

  /** @param onLink called with the link of each answer that has one */
  constructor(bus: Bus, onLink?: OnLink) {
    this.#bus = bus;
    this.#onLink = onLink;
    this.#inbox = bus.inbox('ask');
    this.#backlogs = new BacklogWatch(bus);
    this.#subscription = bus.connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (!error) this.#inFlight.get(message.subject)?.(message.json());
      },
    });
  }

  /**
   * @throws DomainError SERVICE_UNAVAILABLE before anything was sent when the ledger cannot keep up, or when no result
   *   came before the deadline: whether the command was applied is not known then, and the same id answers it later
   */
  async request<S extends z.ZodType, A extends z.ZodType>(
    command: CommandContract<S, A>,
    payload: PayloadOf<CommandContract<S, A>>,
    { timeoutMs = timeoutMsDefault }: { readonly timeoutMs?: number } = {},
  ): Promise<z.infer<A>> {
    if (this.#inFlight.size >= inFlightMax) throw unanswered(command, 'too many requests at once');
    const subject = command.subjectFor(payload);
    this.#backlogs.refuseIfBehind(backlogSignal(command.queueFor(payload)), command.owner);
    return await withSpan(subject, { kind: SpanKind.PRODUCER }, async () => {
      spanIsAbout(subject, payload);
      const replyTo = `${this.#inbox}.${(this.#next++).toString(36)}`;
      const headers = headersFrom({ ...currentTrace(), [replyToHeader]: replyTo });
      const text = JSON.stringify(payload);
      const publish = () => this.#bus.connection.publish(subject, text, { headers });
      const answer = new Promise<unknown>((resolve) => this.#inFlight.set(replyTo, resolve));
      await this.#bus.endOfTurn();
      const repetition = repeatUntil(publish, timeoutMs, () => this.#inFlight.get(replyTo)?.(expired));
      try {
        const result = await answer;
        if (result === expired) throw unanswered(command, 'no answer in time');
        const parsed = command.reply.parse(result);
        this.#noteLink(payload, parsed);
        return parsed;
      } finally {
        repetition.stop();
        this.#inFlight.delete(replyTo);
      }
    });
  }

  #noteLink(payload: unknown, answer: unknown): void {
    const { environment } = payload as { readonly environment?: string };
    const { link } = answer as { readonly link?: ChainLink | null };
    if (environment && link) this.#onLink?.(environment, link);
  }

  /** Requests that still wait are answered as at their deadline: no command is sent once the connection may close. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const answer of this.#inFlight.values()) answer(expired);
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
    timer = setTimeout(next, Math.min(backoffMs(repeated++, retryBackoff), Math.max(deadline - performance.now(), 1)));
  };
  next();
  return { stop: () => clearTimeout(timer) };
}

function unanswered(command: CommandContract, reason: string): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', `the ${command.owner} service does not answer: ${reason}`, {
    retryAfterSec: 1,
  });
}
