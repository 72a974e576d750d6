import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { StreamContract } from '@gateway/contracts';
import { membersOf, type Bus } from '#src/bus/bus.ts';
import { setAside, type DeadLetter } from '#src/bus/dead-letter.ts';
import { retriedBy } from '#src/bus/retry-dead-letter.ts';
import { judgeFailure } from '#src/bus/failure.ts';
import { pulls } from '#src/bus/pulls.ts';
import type { Database } from '#src/database/database.ts';
import { backoffMs } from '#src/run/backoff.ts';
import { startLoop } from '#src/run/loop.ts';
import type { Logger } from '#src/run/logger.ts';
import { counter, gauge } from '#src/telemetry/metrics.ts';
import { SpanKind, withSpan, type TraceCarrier } from '#src/telemetry/span.ts';

/** How long the messages of a consumer that died wait for another one. Handlers take milliseconds. */
const ackWaitMs = 10_000;
const inFlightMax = 2_000;
const prefetchMessages = 500;
const lagIntervalMs = 15_000;

const handled = counter('gateway_consumer_messages_total', 'Messages by consumer and what became of them', [
  'consumer',
  'outcome',
]);

export interface Message {
  /** The sender's id for it (`Nats-Msg-Id`), the same on every delivery and every re-publication. */
  readonly id: string;
  readonly subject: string;
  /** Decoded JSON, not yet checked against a contract. */
  readonly data: unknown;
  readonly trace: TraceCarrier;
}

export interface ConsumerOptions {
  readonly bus: Bus;
  /** Keeps the dead letters. */
  readonly database: Database;
  readonly logger: Logger;
  readonly stream: StreamContract;
  /** Name of the durable consumer: `<service>-<what for>`. Replicas share it. */
  readonly durable: string;
  readonly filterSubject?: string;
  /** Messages handled together at most; handlers take whatever is waiting. */
  readonly batchMax?: number;
  /** Batches handled at the same time. */
  readonly concurrency?: number;
  /**
   * Handles a batch in one transaction. A batch that fails is handled again message by message, so that one bad
   * message does not hold up its neighbours. Handlers are repeatable (`once`) and do not rely on order.
   */
  readonly handle: (messages: readonly Message[]) => Promise<void>;
}

/** Consumes a stream with explicit acks until disposed; in-flight work is finished first. */
export function startConsumer(options: ConsumerOptions): AsyncDisposable {
  const stopping = new AbortController();
  const consumer = new StreamConsumer(options, stopping.signal);
  const running = consumer.run();
  const lag = watchLag(options);
  const retries = retriedBy(options.database, options.durable, async (letter) => {
    await options.handle([messageFrom(letter)]);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      retries[Symbol.dispose]();
      stopping.abort();
      consumer.stop();
      await Promise.all([running, lag[Symbol.asyncDispose]()]);
    },
  };
}

/** What waits in the stream, and what was handed out and is not acknowledged yet. */
function watchLag({ bus, logger, stream, durable }: ConsumerOptions): AsyncDisposable {
  let messages = 0;
  const help = 'Messages a consumer has not handled yet';
  const lag = gauge('gateway_consumer_lag_messages', help, () => messages, { consumer: durable });
  const loop = startLoop({
    name: 'consumer lag',
    intervalMs: lagIntervalMs,
    logger,
    work: async () => {
      // Without the broker nobody can tell, and that it is away is told elsewhere.
      const info = await bus.manager.consumers.info(stream.name, durable).catch(() => undefined);
      if (info) messages = info.num_pending + info.num_ack_pending;
    },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      lag[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

class StreamConsumer {
  readonly #options: ConsumerOptions;
  readonly #signal: AbortSignal;
  readonly #waiting: JsMsg[] = [];
  readonly #busy = new Set<Promise<void>>();
  #messages: ConsumerMessages | undefined;

  constructor(options: ConsumerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  stop(): void {
    this.#messages?.stop();
  }

  /** Sets up the durable and reads it; both again whenever the broker forgot them or went away. */
  async run(): Promise<void> {
    const { logger, durable } = this.#options;
    for (let attempt = 0; !this.#signal.aborted; attempt++) {
      try {
        await this.#ensureDurable();
        await this.#read(() => (attempt = 0));
      } catch (error) {
        if (this.#signal.aborted) break;
        logger.warn({ err: error, durable }, 'consumer interrupted');
      }
      await sleep(backoffMs(attempt), undefined, { signal: this.#signal }).catch(() => undefined);
    }
    await Promise.all(this.#busy);
  }

  async #ensureDurable(): Promise<void> {
    const { bus, stream, durable, filterSubject } = this.#options;
    await bus.manager.consumers.add(stream.name, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: inFlightMax,
      ...(filterSubject === undefined ? {} : { filter_subject: filterSubject }),
    });
  }

  async #read(onMessage: () => void): Promise<void> {
    const { bus, stream, durable } = this.#options;
    const consumer = await bus.jetstream.consumers.get(stream.name, durable);
    const options = { ...pulls, max_messages: prefetchMessages, abort_on_missing_resource: true };
    this.#messages = await consumer.consume(options);
    if (this.#signal.aborted) this.#messages.stop();
    for await (const message of this.#messages) {
      onMessage();
      this.#waiting.push(message);
      await this.#dispatch();
    }
  }

  /** Starts a batch when a worker is free; waits for one otherwise, which is what holds back the broker. */
  async #dispatch(): Promise<void> {
    const { batchMax = 1, concurrency = 1 } = this.#options;
    while (this.#busy.size >= concurrency) {
      if ((this.#messages?.getPending() ?? 0) > 0 && this.#waiting.length < batchMax) return;
      await Promise.race(this.#busy);
    }
    this.#startBatch(batchMax);
  }

  #startBatch(batchMax: number): void {
    const batch = this.#waiting.splice(0, batchMax);
    if (batch.length === 0) return;
    const work = this.#handleBatch(batch).finally(() => {
      this.#busy.delete(work);
      if (this.#waiting.length > 0) this.#startBatch(batchMax);
    });
    this.#busy.add(work);
  }

  async #handleBatch(batch: readonly JsMsg[]): Promise<void> {
    if (batch.length > 1) {
      try {
        await this.#handle(batch);
        return;
      } catch (error) {
        this.#options.logger.warn({ err: error, durable: this.#options.durable }, 'batch failed, trying one by one');
      }
    }
    for (const message of batch)
      await this.#handle([message]).catch((error: unknown) => this.#onFailure(message, error));
  }

  async #handle(batch: readonly JsMsg[]): Promise<void> {
    const { durable, handle } = this.#options;
    const messages = batch.map(toMessage);
    const parent = messages[0]?.trace ?? {};
    await withSpan(`${durable} consume`, { kind: SpanKind.CONSUMER, parent, attributes: { batch: batch.length } }, () =>
      handle(messages),
    );
    for (const message of batch) message.ack();
    handled.add(batch.length, { consumer: durable, outcome: 'done' });
  }

  async #onFailure(message: JsMsg, error: unknown): Promise<void> {
    const { logger, durable, database, stream } = this.#options;
    const verdict = judgeFailure(error, message.info.deliveryCount);
    handled.add(1, { consumer: durable, outcome: verdict.action });
    const log = { err: error, durable, subject: message.subject, deliveries: message.info.deliveryCount };
    if (verdict.action === 'again') {
      logger.warn({ ...log, delayMs: verdict.delayMs }, 'message will be delivered again');
      message.nak(verdict.delayMs);
      return;
    }
    try {
      await setAside(database, {
        consumer: durable,
        stream: stream.name,
        streamSequence: message.seq,
        subject: message.subject,
        payload: message.string(),
        headers: membersOf(message.headers),
        reason: verdict.reason,
        deliveries: message.info.deliveryCount,
      });
      message.term();
      logger.error(log, 'message set aside as a dead letter');
    } catch (failure) {
      logger.error({ err: failure, durable }, 'dead letter could not be kept, message will be delivered again');
      message.nak(1_000);
    }
  }
}

function toMessage(message: JsMsg): Message {
  return messageFrom({
    stream: message.info.stream,
    streamSequence: message.seq,
    subject: message.subject,
    payload: message.string(),
    headers: membersOf(message.headers),
  });
}

type StoredMessage = Pick<DeadLetter, 'stream' | 'streamSequence' | 'subject' | 'payload' | 'headers'>;

/** The same message, whether it comes from its stream or from among the dead letters. */
function messageFrom({ stream, streamSequence, subject, payload, headers }: StoredMessage): Message {
  return {
    id: headers['Nats-Msg-Id'] ?? `${stream}:${streamSequence}`,
    subject,
    data: JSON.parse(payload) as unknown,
    trace: headers,
  };
}
