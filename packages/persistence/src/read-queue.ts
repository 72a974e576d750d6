import { WriteQueue } from '#src/write-queue.ts';

export interface ReadQueueOptions<Item, Answer> {
  /** Names what an item asks for: those that ask for the same are read once. */
  readonly keyOf: (item: Item) => string;
  /** Answers for each item, in order, what is true at the time of the call or later. */
  readonly read: (items: readonly Item[]) => Promise<readonly Answer[]>;
}

/**
 * Reads together what was asked for while the last read was in flight, as `WriteQueue` does for writes: a busy service
 * pays for one statement per batch, and a quiet one does not wait. No caller is answered from a read that began before
 * its call.
 */
export class ReadQueue<Item, Answer> {
  readonly #options: ReadQueueOptions<Item, Answer>;
  readonly #queue = new WriteQueue((items: readonly Item[]) => this.#readDistinct(items));

  constructor(options: ReadQueueOptions<Item, Answer>) {
    this.#options = options;
  }

  async add(item: Item): Promise<Answer> {
    return await this.#queue.add(item);
  }

  async #readDistinct(items: readonly Item[]): Promise<readonly Answer[]> {
    const { keyOf, read } = this.#options;
    const places = new Map<string, number>();
    const distinct: Item[] = [];
    const placeOf = items.map((item) => {
      const key = keyOf(item);
      const place = places.get(key) ?? distinct.push(item) - 1;
      places.set(key, place);
      return place;
    });
    const answers = await read(distinct);
    return placeOf.map((place) => answers[place] as Answer);
  }
}
