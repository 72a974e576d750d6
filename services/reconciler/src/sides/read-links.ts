import { chainLinksMax } from '@gateway/contracts/ledger';
import { checkLinks, type ChainPlace, type Shard, type SoundLink } from '#src/sides/check-links.ts';
import type { Sources } from '#src/sides/sources.ts';

/**
 * Pages of links at once. A payout is debited and settled by two decisions with those of other payouts between them: where
 * both are read together its record is asked for, and what it says is entered, once. Five pages are a few megabytes.
 */
const pagesMax = 5;
/** A page with fewer is the last one for now; large links fill a message before their number does. */
const fewLinks = chainLinksMax / 4;
/** Fewer are as well read with the next ones. */
const manyLinks = chainLinksMax / 2;

interface LinksRead {
  readonly sound: readonly SoundLink[];
  /** What is wrong with the link behind the sound ones; null where nothing is. */
  readonly problem: string | null;
  /** Whether there are probably many more. */
  readonly isMore: boolean;
  /** When the last page was asked for. */
  readonly askedAt: Date;
  /** Whether that page held all that was decided before. */
  readonly isUpToDate: boolean;
  /** In which the ledger was with the last page; one of an earlier version does not say. */
  readonly incarnation: number | undefined;
}

const unfinished = { problem: null, isMore: true, isUpToDate: false, incarnation: undefined } as const;

/** Reads the links of a shard that follow on a place, and checks each against the one before. */
export async function readLinks(
  { sources, now }: { readonly sources: Pick<Sources, 'links'>; readonly now: () => Date },
  shard: Shard,
  after: ChainPlace,
): Promise<LinksRead> {
  const all: SoundLink[] = [];
  for (let pages = 1; ; pages++) {
    const from = all.at(-1)?.place ?? after;
    const askedAt = now();
    const asked = { ...shard, after: from.sequence, afterMs: from.decidedAtMs, limit: chainLinksMax };
    const read = await sources.links(asked).catch((error: unknown) => {
      // What was read before is entered; the next reading begins with this page, and says what is wrong with it.
      if (all.length === 0) throw error;
      return null;
    });
    if (!read) return { ...unfinished, sound: all, askedAt };
    const { sound, problem } = checkLinks(shard, from, read);
    all.push(...sound);
    const { length } = read.links;
    const isMore = problem === null && length >= manyLinks;
    if (isMore && pages < pagesMax) continue;
    return { sound: all, problem, isMore, askedAt, isUpToDate: length < fewLinks, incarnation: read.incarnation };
  }
}
