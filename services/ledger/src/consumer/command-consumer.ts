import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { pulls, type Bus } from '@gateway/messaging';
import { incomingMessage, type IncomingMessage } from '#src/consumer/incoming-message.ts';
import type { SafeStart } from '#src/consumer/safe-start.ts';
import type { Shard } from '#src/shards.ts';

const prefetchMessages = 1_000;
/** Statuses of the client library after which the consumer is, or may be, another one than the one that was opened. */
const endings = new Set(['heartbeats_missed', 'reset', 'ordered_consumer_recreated', 'stream_not_found']);
/** Messages held in memory at most; a longer backlog stays on the broker until these are decided. */
const heldMessagesMax = 20_000;

/** Called for each message with its storage time at the broker, and whether nothing had been waiting before it. */
type OnStorageTime = (storedMs: number, wasAwaited: boolean) => void;

/**
 * Reads the commands of a shard in order. Nothing is acknowledged: the position is in PostgreSQL, where it commits with
 * the money. Messages wait here while the writer commits the batch before.
 *
 * A consumer lasts for one uninterrupted subscription. When the connection or the broker's consumer changes, the broker
 * may have lost messages and given their sequences to others. The consumer then ends (`ended`) instead of continuing by
 * sequence, and the writer determines a safe start again.
 */
export class CommandConsumer implements AsyncDisposable {
  readonly #environment: string;
  readonly #consumer: string;
  readonly #onStorageTime: OnStorageTime;
  readonly #held: IncomingMessage[] = [];
  #messages: ConsumerMessages | undefined;
  #backlog = 0;
  #ended = false;
  /** Nothing is waiting, so the next message will have been stored just now. */
  #awaiting = false;
  #arrived: (() => void) | undefined;

  static async open(
    bus: Bus,
    { stream, environment }: Shard,
    start: SafeStart,
    onStorageTime: OnStorageTime,
  ): Promise<CommandConsumer> {
    const consumer = await bus.jetstream.consumers.get(stream.name, start.from);
    const { name } = await consumer.info(true);
    const opened = new CommandConsumer(environment, name, onStorageTime);
    await opened.#begin(consumer);
    return opened;
  }

  private constructor(environment: string, consumer: string, onStorageTime: OnStorageTime) {
    this.#environment = environment;
    this.#consumer = consumer;
    this.#onStorageTime = onStorageTime;
  }

  /** True when no more messages will come and all that came have been taken. */
  get ended(): boolean {
    return this.#ended && this.#held.length === 0;
  }

  /** Commands that are stored and not yet taken: held here, and on the broker when the newest one here arrived. */
  get waiting(): number {
    return this.#held.length + this.#backlog;
  }

  /** To be called when the connection was interrupted. Messages that are held came before that and stay valid. */
  interrupt(): void {
    this.#ended = true;
    this.#messages?.stop();
    this.#arrived?.();
  }

  /** A full batch, if as many messages are waiting. */
  takeFull(size: number): IncomingMessage[] {
    return this.#held.length >= size ? this.#held.splice(0, size) : [];
  }

  /** All waiting messages, at most `max`; waits up to `waitMs` for the first one. Empty when none came. */
  async take(max: number, waitMs: number): Promise<IncomingMessage[]> {
    if (this.#held.length === 0 && !this.#ended) await this.#firstArrival(waitMs);
    if (this.#held.length === 0) this.#awaiting = true;
    return this.#held.splice(0, max);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.interrupt();
    await this.#messages?.closed();
  }

  async #firstArrival(waitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    this.#arrived = resolve;
    await promise;
    this.#arrived = undefined;
    clearTimeout(timer);
  }

  /** With a callback: an iterator would run between the steps of a batch for every message. */
  async #begin(consumer: Consumer): Promise<void> {
    const callback = (message: JsMsg) => this.#receive(message);
    const messages = await consumer.consume({ ...pulls, max_messages: prefetchMessages, callback });
    this.#messages = messages;
    // Whatever ended the subscription, the next consumer begins by looking at the stream and reports the failure.
    void messages.closed().then(() => this.interrupt());
    void this.#watch(messages);
  }

  #receive(message: JsMsg): void {
    if (this.#ended) return;
    if (message.info.consumer !== this.#consumer) return this.interrupt();
    const incoming = incomingMessage(message, this.#environment);
    this.#held.push(incoming);
    this.#onStorageTime(incoming.position.timeMs, this.#awaiting);
    this.#awaiting = false;
    this.#backlog = message.info.pending;
    this.#arrived?.();
    if (this.#held.length >= heldMessagesMax) this.interrupt();
  }

  /**
   * The client library replaces a consumer that it has lost; this one ends there. An ordered consumer lives on one node
   * of the broker, so while that node is away the library would only repeat its request.
   */
  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) if (endings.has(type)) this.interrupt();
  }
}
