import type { Msg, Subscription } from '@nats-io/nats-core';
import { AwaitedAnswers } from '#src/bus/awaited-answers.ts';
import { headersFrom, type Bus } from '#src/bus/bus.ts';
import type { StreamPosition } from '#src/outbox/unread-rows.ts';

export interface OutgoingMessage {
  readonly subject: string;
  readonly payload: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Answer = StreamPosition | Error;

/**
 * Publishes to JetStream in batches, with one inbox for all acknowledgements. The client's own `publish` prepares two
 * errors with their stack traces for every message, which cost more than the message.
 */
export class StreamPublisher implements AsyncDisposable {
  readonly #bus: Bus;
  readonly #unanswered: AwaitedAnswers<(answer: Answer) => void>;
  readonly #subscription: Subscription;

  constructor(bus: Bus) {
    this.#bus = bus;
    const inbox = bus.inbox('outbox');
    this.#unanswered = new AwaitedAnswers(inbox);
    this.#subscription = bus.connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (!error) this.#unanswered.get(message.subject)?.(answerOf(message));
      },
    });
  }

  /** Answers for each message, in order, its position in the stream, or why it is not known to be stored. */
  async publish(messages: readonly OutgoingMessage[], timeoutMs: number): Promise<readonly Answer[]> {
    if (messages.length === 0) return [];
    const late = new Error('JetStream did not answer in time');
    const answers: Answer[] = messages.map(() => late);
    const done = Promise.withResolvers<void>();
    const timer = setTimeout(done.resolve, timeoutMs);
    const replies: string[] = [];
    let missing = messages.length;
    for (const [index, { subject, payload, headers }] of messages.entries()) {
      const reply = this.#unanswered.add((answer) => {
        this.#unanswered.delete(reply);
        answers[index] = answer;
        if (--missing === 0) done.resolve();
      });
      replies.push(reply);
      this.#bus.connection.publish(subject, payload, { reply, headers: headersFrom(headers) });
    }
    await done.promise;
    clearTimeout(timer);
    for (const reply of replies) this.#unanswered.delete(reply);
    return answers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#subscription.isClosed()) await this.#subscription.drain();
  }
}

const storedAt = /"stream": ?"([^"]+)".*"seq": ?(\d+)/;

/** An acknowledgement names stream and sequence; anything else, also "no stream listens there", is a failure. */
function answerOf(message: Msg): Answer {
  const text = message.string();
  const [, stream, sequence] = text.includes('"error":') ? [] : (storedAt.exec(text) ?? []);
  if (stream !== undefined) return { stream, sequence: Number(sequence) };
  return new Error(`JetStream did not store the message: ${text || `status ${message.headers?.code ?? 0}`}`);
}
