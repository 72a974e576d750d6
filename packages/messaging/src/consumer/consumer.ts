import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { StreamContract } from '@gateway/contracts/broker';
import type { Database } from '@gateway/persistence';
import { backoffMs, type Logger, counter, SpanKind, withSpan } from '@gateway/runtime';
import { Arrival, messageFrom, type ArrivedEvent, type Message } from '#src/consumer/arrival.ts';
import type { Bus } from '#src/bus/bus.ts';
import { storeDeadLetter } from '#src/consumer/dead-letter.ts';
import { retriedBy } from '#src/consumer/retry-dead-letter.ts';
import { classifyFailure } from '#src/consumer/failure.ts';
import { watchLag, type WatchedLag } from '#src/consumer/consumer-lag.ts';
import { HeldMessages } from '#src/consumer/held-messages.ts';
import { Turns } from '#src/consumer/turns.ts';
import { pulls } from '#src/bus/pulls.ts';

/** How long the messages of a consumer that died wait for another one. */
const ackWaitDefaultMs = 10_000;
const inFlightMax = 2_000;
/**
 * As many messages as are handled at once wait here behind them, within these bounds. More would wait for so long, where each
 * takes a provider's time, that the broker gave them again.
 */
const prefetchMessages = { least: 16, most: 500 };
/** Until a dead letter that could not be kept is tried again. */
const keepAgainAfterMs = 1_000;

export type { Message } from '#src/consumer/arrival.ts';

const handled = counter('gateway_consumer_messages_total', 'Messages by consumer and what became of them', [
  'consumer',
  'outcome',
]);

export interface ConsumerOptions {
  readonly bus: Bus;
  /** Keeps the dead letters. */
  readonly database: Database;
  readonly logger: Logger;
  readonly stream: StreamContract;
  /** Name of the durable consumer: `<service>-<what for>`. Replicas share it. */
  readonly durable: string;
  readonly filterSubject?: string;
  /** Events handled together at most; handlers take whatever is waiting. */
  readonly batchMax?: number;
  /** Batches handled at the same time. */
  readonly concurrency?: number;
  /** How long the broker hears nothing of a message before it gives it again. */
  readonly ackWaitMs?: number;
  /**
   * Handles a batch in one transaction. A batch that fails is handled again event by event, so that one bad
   * event does not hold up its neighbours. Handlers are repeatable (`once`) and do not rely on order.
   */
  readonly handle: (messages: readonly Message[]) => Promise<void>;
}

/** Consumes a stream with explicit acks until disposed; in-flight work is finished first. */
export function startConsumer(options: ConsumerOptions): WatchedLag {
  const stopping = new AbortController();
  const consumer = new StreamConsumer(options, stopping.signal);
  const running = consumer.run();
  const lag = watchLag(options);
  const retries = retriedBy(options.database, options.durable, async (letter) => {
    await options.handle([messageFrom(letter)]);
  });
  return {
    get lag() {
      return lag.lag;
    },
    [Symbol.asyncDispose]: async () => {
      retries[Symbol.dispose]();
      stopping.abort();
      consumer.stop();
      await Promise.all([running, lag[Symbol.asyncDispose]()]);
    },
  };
}

class StreamConsumer {
  readonly #options: ConsumerOptions;
  readonly #signal: AbortSignal;
  readonly #waiting: Arrival[] = [];
  readonly #busy = new Set<Promise<void>>();
  readonly #held: HeldMessages;
  readonly #turns: Turns;
  #messages: ConsumerMessages | undefined;

  constructor(options: ConsumerOptions, signal: AbortSignal) {
    const { bus, ackWaitMs = ackWaitDefaultMs, concurrency = 1 } = options;
    this.#options = options;
    this.#signal = signal;
    this.#held = new HeldMessages({ ackWaitMs, isConnected: () => bus.connected });
    this.#turns = new Turns(concurrency);
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
    // What waits becomes a batch as soon as one ends, so the last one is not among those of now.
    while (this.#busy.size > 0) await Promise.all(this.#busy);
    this.#held[Symbol.dispose]();
  }

  async #ensureDurable(): Promise<void> {
    const { bus, stream, durable, filterSubject, ackWaitMs = ackWaitDefaultMs } = this.#options;
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
    const { bus, stream, durable, batchMax = 1, concurrency = 1 } = this.#options;
    const consumer = await bus.jetstream.consumers.get(stream.name, durable);
    const { least, most } = prefetchMessages;
    const prefetched = Math.min(most, Math.max(least, concurrency * batchMax));
    const options = { ...pulls, max_messages: prefetched, abort_on_missing_resource: true };
    this.#messages = await consumer.consume(options);
    if (this.#signal.aborted) this.#messages.stop();
    for await (const message of this.#messages) {
      onMessage();
      this.#held.add(message);
      this.#waiting.push(new Arrival(message));
      await this.#dispatch();
    }
  }

  /** Starts a batch when a worker is free; waits for one otherwise, which is what holds back the broker. */
  async #dispatch(): Promise<void> {
    const { batchMax = 1, concurrency = 1 } = this.#options;
    while (this.#busy.size >= concurrency) {
      if ((this.#messages?.getPending() ?? 0) > 0 && countOf(this.#waiting) < batchMax) return;
      await Promise.race(this.#busy);
    }
    this.#startBatch(batchMax);
  }

  #startBatch(batchMax: number): void {
    const batch = this.#nextBatch(batchMax);
    if (batch.length === 0) return;
    const work = this.#handleBatch(batch).finally(() => {
      this.#busy.delete(work);
      for (const { raw } of batch) this.#held.ended(raw);
      if (this.#waiting.length > 0) this.#startBatch(batchMax);
    });
    this.#busy.add(work);
  }

  /** A group is never torn apart: one that is larger than a batch makes one of its own. */
  #nextBatch(batchMax: number): Arrival[] {
    let events = 0;
    const end = this.#waiting.findIndex(({ count }) => (events += count) > batchMax);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(end, 1));
  }

  async #handleBatch(batch: readonly Arrival[]): Promise<void> {
    if (countOf(batch) > 1) {
      try {
        await this.#handleTogether(batch);
        return;
      } catch (error) {
        this.#options.logger.warn({ err: error, durable: this.#options.durable }, 'batch failed, trying one by one');
      }
    }
    for (const arrival of batch) await this.#handleAlone(arrival);
  }

  async #handleTogether(batch: readonly Arrival[]): Promise<void> {
    const { batchMax = 1 } = this.#options;
    const messages = batch.flatMap((arrival) => arrival.messages());
    const parts: Promise<void>[] = [];
    for (let from = 0; from < messages.length; from += batchMax) {
      parts.push(this.#handle(messages.slice(from, from + batchMax)));
    }
    for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') throw part.reason;
    for (const { raw } of batch) raw.ack();
  }

  /** Event by event. One that has to come again comes with its whole group, of which the others are known by then. */
  async #handleAlone(arrival: Arrival): Promise<void> {
    const { raw } = arrival;
    const failures: (number | 'set-aside')[] = [];
    for (const event of arrival.events()) {
      try {
        await this.#handle([event.read()]);
      } catch (error) {
        failures.push(await this.#onFailure(event, raw.info.deliveryCount, error));
      }
    }
    const delaysMs = failures.filter((failure) => failure !== 'set-aside');
    if (delaysMs.length > 0) raw.nak(Math.max(...delaysMs));
    else if (failures.length === arrival.count) raw.term();
    else raw.ack();
  }

  async #handle(messages: readonly Message[]): Promise<void> {
    const { durable, handle } = this.#options;
    const parent = messages[0]?.trace ?? {};
    const attributes = { batch: messages.length };
    const span = { kind: SpanKind.CONSUMER, parent, attributes };
    await this.#turns.take(() => withSpan(`${durable} consume`, span, () => handle(messages)));
    handled.add(messages.length, { consumer: durable, outcome: 'done' });
  }

  /** Answers that it is set aside, or after how many milliseconds it has to come again. */
  async #onFailure(event: ArrivedEvent, deliveries: number, error: unknown): Promise<number | 'set-aside'> {
    const { logger, durable, database } = this.#options;
    const handling = classifyFailure(error, deliveries);
    handled.add(1, { consumer: durable, outcome: handling.action });
    const stored = event.stored();
    const log = { err: error, durable, subject: stored.subject, deliveries };
    if (handling.action === 'again') {
      logger.warn({ ...log, delayMs: handling.delayMs }, 'message will be delivered again');
      return handling.delayMs;
    }
    try {
      await storeDeadLetter(database, { ...stored, consumer: durable, reason: handling.reason, deliveries });
      logger.error(log, 'message set aside as a dead letter');
      return 'set-aside';
    } catch (failure) {
      logger.error({ err: failure, durable }, 'dead letter could not be kept, message will be delivered again');
      return keepAgainAfterMs;
    }
  }
}

function countOf(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((sum, { count }) => sum + count, 0);
}
