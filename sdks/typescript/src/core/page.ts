import type { Options } from './send.ts';

/** What a list answers with. */
export interface PageData<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** A page, and the way to the next. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  /** @returns the page after it, or undefined after the last */
  next(): Promise<Page<Item> | undefined>;
}

type ReadPage<Item> = (cursor: string | undefined, options: Options) => Promise<PageData<Item>>;

/**
 * A list: `for await` walks all of it, `await` reads its first page. Nothing is read before it is asked for, and breaking out
 * of a walk sends no further call.
 */
export class Pages<Item> implements AsyncIterable<Item>, PromiseLike<Page<Item>> {
  readonly #read: ReadPage<Item>;
  readonly #options: Options;
  readonly #first: string | undefined;
  #firstPage: Promise<Page<Item>> | undefined;

  constructor(read: ReadPage<Item>, options: Options, first?: string | null) {
    this.#read = read;
    this.#options = options;
    this.#first = first ?? undefined;
  }

  then<A = Page<Item>, B = never>(
    onFulfilled?: ((page: Page<Item>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#firstPage ??= this.#page(this.#first);
    return this.#firstPage.then(onFulfilled, onRejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page: Page<Item> | undefined = await this.#page(this.#first);
    while (page !== undefined) {
      yield page;
      page = await page.next();
    }
  }

  /** At most `max` records; a list has no end that memory would bear. */
  async toArray({ max }: { readonly max: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  async #page(cursor: string | undefined): Promise<Page<Item>> {
    const { data, next_cursor } = await this.#read(cursor, this.#options);
    // A cursor that comes again would make the walk endless.
    const isLast = next_cursor === null || next_cursor === cursor;
    return { data, next_cursor, next: async () => (isLast ? undefined : this.#page(next_cursor)) };
  }
}
