import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { pulls, type Bus } from '@gateway/service-kit';
import { incomingMessage, type IncomingMessage } from '#src/intake/incoming-message.ts';
import type { SafeStart } from '#src/intake/safe-start.ts';
import type { Shard } from '#src/shards.ts';

const prefetchMessages = 1_000;
/** What the client library says when the reading is not the one that was begun, or may not be. */
const endings = new Set(['heartbeats_missed', 'reset', 'ordered_consumer_recreated', 'stream_not_found']);
/** Messages held in memory at most; a longer backlog stays on the broker until these are done. */
const heldMessagesMax = 20_000;

/** Told of each message: when the broker stored it, and whether nothing had been waiting before it. */
type OnStorageTime = (storedMs: number, wasAwaited: boolean) => void;

/**
 * Reads a stream in order, without acknowledging: what has been read is what PostgreSQL says (the cursor commits with
 * the money). Messages wait here while the writer commits the batch before.
 *
 * An intake is good for one unbroken reading. When the connection or the broker's consumer changes, the broker may
 * have lost messages and given their sequences to others, so the intake ends (`ended`) instead of carrying on by
 * sequence, and the writer looks for a safe start again.
 */
export class CommandIntake implements AsyncDisposable {
  readonly #environment: string;
  readonly #consumer: string;
  readonly #onStorageTime: OnStorageTime;
  readonly #held: IncomingMessage[] = [];
  #messages: ConsumerMessages | undefined;
  #backlog = 0;
  #ended = false;
  /** Nothing was waiting, so that what comes next has just been stored. */
  #awaiting = false;
  #arrived: (() => void) | undefined;

  static async open(
    bus: Bus,
    { stream, environment }: Shard,
    start: SafeStart,
    onStorageTime: OnStorageTime,
  ): Promise<CommandIntake> {
    const consumer = await bus.jetstream.consumers.get(stream.name, start.from);
    const { name } = await consumer.info(true);
    const intake = new CommandIntake(environment, name, onStorageTime);
    await intake.#begin(consumer);
    return intake;
  }

  private constructor(environment: string, consumer: string, onStorageTime: OnStorageTime) {
    this.#environment = environment;
    this.#consumer = consumer;
    this.#onStorageTime = onStorageTime;
  }

  /** True when nothing more will come and what came has been taken. */
  get ended(): boolean {
    return this.#ended && this.#held.length === 0;
  }

  /** Commands that are stored and not yet taken: here, and on the broker when the newest one here was read. */
  get waiting(): number {
    return this.#held.length + this.#backlog;
  }

  /** To be called when the connection was interrupted: what is still held was read before and stays good. */
  interrupt(): void {
    this.#ended = true;
    this.#messages?.stop();
    this.#arrived?.();
  }

  /** A full batch, if that much is waiting. */
  takeFull(size: number): IncomingMessage[] {
    return this.#held.length >= size ? this.#held.splice(0, size) : [];
  }

  /** Everything that is waiting, at most `max`, waiting up to `waitMs` for the first. Empty when nothing came. */
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

  /** By callback: an iterator would come between the steps of a batch with every message. */
  async #begin(consumer: Consumer): Promise<void> {
    const callback = (message: JsMsg) => this.#receive(message);
    const messages = await consumer.consume({ ...pulls, max_messages: prefetchMessages, callback });
    this.#messages = messages;
    // Whatever ended the reading, the next one begins with a look at the stream, and fails there if it must.
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
   * The client library replaces a consumer it has lost; for us that is where this reading ends. A consumer of this kind
   * lives on one node: while that is away the library would ask for it in vain.
   */
  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) if (endings.has(type)) this.interrupt();
  }
}
