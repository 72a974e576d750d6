import type { LinkContent } from '#src/chain/link.ts';
import { linkHash } from '#src/chain/link.ts';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';

/** One decision as its rows have it. */
export interface StoredLink extends Omit<LinkContent, 'requestHash' | 'environment' | 'shard'> {
  readonly request: Readonly<Record<string, unknown>>;
  readonly hash: string;
  /** The hash in the row that makes the id unique; null when that row is gone. */
  readonly commandRequestHash: string | null;
}

/** The first link that is not as it was written, and what is wrong with it. */
export interface ChainBreak {
  readonly sequence: number;
  readonly problem: string;
}

export interface LinkPlace {
  readonly environment: string;
  readonly shard: number;
  /** The link before, as it was recomputed. */
  readonly previous: { readonly sequence: number; readonly hash: string };
}

/** Recomputes a link from its rows. Answers what is wrong with it, or null. */
export function breakOf(link: StoredLink, { environment, shard, previous }: LinkPlace): ChainBreak | null {
  const expected = previous.sequence + 1;
  if (link.sequence !== expected) return { sequence: expected, problem: `result ${expected} is missing` };
  const requestHash = requestHashOf(canonicalRequest(link.request));
  if (link.commandRequestHash !== requestHash) {
    const problem = link.commandRequestHash === null ? 'has lost its row in command' : 'has another request in command';
    return { sequence: link.sequence, problem: `result ${link.sequence} (${link.commandId}) ${problem}` };
  }
  if (linkHash(previous.hash, { ...link, environment, shard, requestHash }) === link.hash) return null;
  return {
    sequence: link.sequence,
    problem: `result ${link.sequence} (${link.commandId}) or its entries were changed`,
  };
}
