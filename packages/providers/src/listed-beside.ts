import type { MissingPage } from '#src/feed-rows.ts';
import type { CallOptions } from '#src/outcomes.ts';

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** What a list has of a period, by each id that its items have. */
export type ListedItems =
  | {
      readonly kind: 'page';
      readonly byId: ReadonlyMap<string, unknown>;
      /** How many were listed for it. */
      readonly items: number;
    }
  | MissingPage;

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

interface Kept {
  readonly fromMs: number;
  readonly toMs: number;
  readonly atMs: number;
  readonly byId: ReadonlyMap<string, unknown>;
  /** What was listed for the window before, as far as it belongs to this one too. */
  readonly before: ReadonlyMap<string, unknown> | undefined;
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
  readonly list: (period: Period, options: CallOptions | undefined) => Promise<ListedItems>;
}

/**
 * What the lines of a statement are about, where that stands in a list of its own: it is listed for a window once, however
 * many pages the window has, and for the window behind it from where this one ended.
 */
export class ListedBeside {
  readonly #options: ListedBesideOptions;
  #kept: readonly Kept[] = [];

  constructor(options: ListedBesideOptions) {
    this.#options = options;
  }

  async of({ from, to }: Period, options: CallOptions | undefined): Promise<Abouts> {
    const { apartMs, list } = this.#options;
    const [fromMs, toMs] = [from.getTime(), to.getTime()];
    const kept = this.#fresh(keptMs).find((each) => each.fromMs === fromMs && each.toMs === toMs);
    if (kept) return { kind: 'page', find: findIn(kept), items: 0 };
    const former = this.#fresh(followedWithinMs).find((each) => each.toMs === fromMs);
    const listedFrom = new Date(former ? fromMs + apartMs : fromMs - apartMs);
    const listed = await list({ from: listedFrom, to: new Date(toMs + apartMs) }, options);
    if (listed.kind !== 'page') return listed;
    const found: Kept = { fromMs, toMs, atMs: this.#nowMs(), byId: listed.byId, before: former?.byId };
    const others = this.#kept.filter((each) => each !== former && !(each.fromMs === fromMs && each.toMs === toMs));
    this.#kept = [found, ...others].slice(0, windowsKept);
    return { kind: 'page', find: findIn(found), items: listed.items };
  }

  /** Frees what no reading will ask for any more. */
  forgetOld(): void {
    this.#kept = this.#fresh(followedWithinMs);
  }

  #fresh(forMs: number): Kept[] {
    const nowMs = this.#nowMs();
    return this.#kept.filter(({ atMs }) => nowMs - atMs < forMs);
  }

  #nowMs(): number {
    return this.#options.now().getTime();
  }
}

function findIn({ byId, before }: Kept): (id: string) => unknown {
  return (id) => byId.get(id) ?? before?.get(id);
}
