import { DomainError } from '@gateway/contracts/errors';

const batchMaxDefault = 200;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteQueueOptions<Item> {
  /**
   * The key of the row that an item changes. Items of one row never share a batch: a statement changes a row once, and
   * could not report for which of them.
   */
  readonly keyOf?: (item: Item) => string;
  readonly batchMax?: number;
  /**
   * How long the queue waits after a batch of several items for what belongs into the next one: more items then share the
   * fixed cost of a statement and its commit. After a batch of one item it does not wait.
   */
  readonly pauseMs?: number;
}

/**
 * Group commit: writes together what queued while the last write was in flight, so that a busy service pays for one
 * statement and one commit per batch, and a quiet one does not wait.
 *
 * `write` takes a batch in one transaction and answers an outcome for each item, in order. A batch the database rejects
 * is written again item by item, so that a wrong item fails alone. A batch whose connection was
 * lost is not: it may have been committed, and only its senders know what a second write would mean.
 */
export class WriteQueue<Item, Outcome> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly #keyOf: ((item: Item) => string) | undefined;
  readonly #batchMax: number;
  readonly #pauseMs: number;
  readonly #waiting: Waiting<Item, Outcome>[] = [];
  #writing = false;

  constructor(
    write: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    { keyOf, batchMax = batchMaxDefault, pauseMs = 0 }: WriteQueueOptions<Item> = {},
  ) {
    this.#write = write;
    this.#keyOf = keyOf;
    this.#batchMax = batchMax;
    this.#pauseMs = pauseMs;
  }

  /** Resolves when the item is committed. */
  async add(item: Item): Promise<Outcome> {
    return await new Promise<Outcome>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#writing) this.#begin();
    });
  }

  /** At the end of this turn of the event loop: what else arrives in it is written with the first. */
  #begin(): void {
    this.#writing = true;
    setImmediate(() => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      await this.#writeBatch(batch);
      if (this.#pauseMs > 0 && batch.length > 1) await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
    }
    this.#writing = false;
  }

  /** In the order they came; an item whose key is in the batch already waits for the next one. */
  #nextBatch(): Waiting<Item, Outcome>[] {
    const keyOf = this.#keyOf;
    if (!keyOf) return this.#waiting.splice(0, this.#batchMax);
    const batch = new Map<string, Waiting<Item, Outcome>>();
    const later: Waiting<Item, Outcome>[] = [];
    for (const waiting of this.#waiting.splice(0)) {
      const key = keyOf(waiting.item);
      if (batch.size < this.#batchMax && !batch.has(key)) batch.set(key, waiting);
      else later.push(waiting);
    }
    this.#waiting.push(...later);
    return [...batch.values()];
  }

  async #writeBatch(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#write(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length) throw new Error('a write answers one outcome per item');
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (batch.length === 1 || error instanceof DomainError) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await this.#writeBatch([waiting]);
    }
  }
}
