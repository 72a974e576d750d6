import type { MissingPage } from '#src/feed-rows.ts';
import type { CallOptions } from '#src/outcomes.ts';

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A page of the list of a period, and where the next one begins; null at its end. */
export type ListPage =
  { readonly kind: 'page'; readonly items: readonly unknown[]; readonly next: string | null } | MissingPage;

/** What lines are about. */
export type Abouts =
  | {
      readonly kind: 'page';
      /** The item with this id, if there is one. */
      readonly find: (id: string) => unknown;
      /** How many were listed for it; 0 where all were there. */
      readonly items: number;
    }
  | MissingPage;

/** What is listed of a window so far. */
interface Listing {
  readonly fromMs: number;
  readonly toMs: number;
  readonly period: Period;
  readonly byId: Map<string, unknown>;
  /** What was listed for the window before, as far as it belongs to this one too. */
  readonly before: ReadonlyMap<string, unknown> | undefined;
  /** Where the list goes on; null at its end, and undefined before its first page. */
  place: string | null | undefined;
  /** When it was used last. */
  atMs: number;
}

/** All pages of a window are explained by one reading of the list. */
const keptMs = 60_000;
/** The window that follows is read half a minute later, or as soon as this one has been read. */
const followedWithinMs = 120_000;
/** Of readers at several distances, each in a window of its own. */
const windowsKept = 8;

export interface ListedBesideOptions {
  readonly now: () => Date;
  /** How far a line and what it is about may be apart. */
  readonly apartMs: number;
  /** More pages are too many for one window: a smaller one has fewer of them. */
  readonly pagesMax: number;
  readonly readPage: (
    period: Period & { readonly place?: string },
    options: CallOptions | undefined,
  ) => Promise<ListPage>;
  /** Each of the ids that an item has. */
  readonly idsOf: (item: unknown) => readonly string[];
}

/**
 * What the lines of a statement are about, where that stands in a list of its own: it is listed for a window once, however
 * many pages the window has, and for the window behind it from where this one ended. A listing that was not finished in time
 * goes on where it ended, so that a slow provider delays it and never has it begin anew.
 */
export class ListedBeside {
  readonly #options: ListedBesideOptions;
  #listings: readonly Listing[] = [];

  constructor(options: ListedBesideOptions) {
    this.#options = options;
  }

  async of(window: Period, options: CallOptions | undefined): Promise<Abouts> {
    const listing = this.#listingOf(window);
    const { byId, before } = listing;
    const find = (id: string) => byId.get(id) ?? before?.get(id);
    const { readPage, idsOf, pagesMax } = this.#options;
    let items = 0;
    for (let pages = 0; listing.place !== null; pages += 1) {
      if (pages === pagesMax) return { kind: 'unavailable', cause: `the list is not complete after ${pagesMax} pages` };
      const place = listing.place === undefined ? {} : { place: listing.place };
      const page = await readPage({ ...listing.period, ...place }, options);
      listing.atMs = this.#nowMs();
      if (page.kind === 'unavailable') return { ...page, listed: items };
      if (page.kind !== 'page') return page;
      items += page.items.length;
      for (const item of page.items) for (const id of idsOf(item)) byId.set(id, item);
      listing.place = page.next;
    }
    listing.atMs = this.#nowMs();
    return { kind: 'page', find, items };
  }

  /** Frees what no reading will ask for any more. */
  forgetOld(): void {
    this.#listings = this.#fresh(followedWithinMs);
  }

  /** The one that is there, or a new one, which goes before all others. */
  #listingOf({ from, to }: Period): Listing {
    const { apartMs } = this.#options;
    const [fromMs, toMs] = [from.getTime(), to.getTime()];
    const isSame = (each: Listing) => each.fromMs === fromMs && each.toMs === toMs;
    const kept = this.#fresh(keptMs).find(isSame);
    if (kept) return kept;
    const former = this.#fresh(followedWithinMs).find((each) => each.toMs === fromMs && each.place === null);
    const period = {
      from: new Date(former ? fromMs + apartMs : fromMs - apartMs),
      to: new Date(toMs + apartMs),
    };
    const begun: Listing = {
      ...{ fromMs, toMs, period, byId: new Map<string, unknown>(), before: former?.byId },
      ...{ place: undefined, atMs: this.#nowMs() },
    };
    const others = this.#listings.filter((each) => each !== former && !isSame(each));
    this.#listings = [begun, ...others].slice(0, windowsKept);
    return begun;
  }

  #fresh(forMs: number): Listing[] {
    const nowMs = this.#nowMs();
    return this.#listings.filter(({ atMs }) => nowMs - atMs < forMs);
  }

  #nowMs(): number {
    return this.#options.now().getTime();
  }
}
