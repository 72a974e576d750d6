import { hash } from 'node:crypto';
import { canonicalRequest, isJsonObject, requestHashOf } from '#src/chain/canonical-request.ts';

/** The link before the first one. */
export const genesisHash = '0'.repeat(64);

export type PostingTuple = readonly [account: string, bucket: string, currency: string, amount: number];
export type BalanceTuple = readonly [currency: string, available: number, pending: number, blocked: number];
export type EntryTuple = readonly [
  id: string,
  accountId: string,
  currency: string,
  number: number,
  type: string,
  amount: number,
  refType: string,
  refId: string,
  balanceAfter: number,
];

/** Everything one decision wrote, in the form the chain covers. Each value can be read back from its row. */
export interface LinkContent {
  readonly environment: string;
  readonly shard: number;
  readonly sequence: number;
  readonly decidedAtMs: number;
  readonly commandId: string;
  readonly requestHash: string;
  readonly outcome: string;
  readonly refusal: string | null;
  readonly amounts: Readonly<Record<string, number>>;
  readonly balances: readonly BalanceTuple[];
  readonly postings: readonly PostingTuple[];
  readonly entries: readonly EntryTuple[];
}

/** SHA-256 in hex over the previous link and the content: a changed, removed or moved row breaks every later link. */
export function linkHash(previous: string, content: LinkContent): string {
  return hash('sha256', linkText(previous, content), 'hex');
}

/** The text of a link. Receipts contain it: its form is a promise, and a change of it is another version. */
export function linkText(previous: string, content: LinkContent): string {
  const amounts = Object.entries(content.amounts).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    previous,
    content.environment,
    content.shard,
    content.sequence,
    content.decidedAtMs,
    content.commandId,
    content.requestHash,
    content.outcome,
    content.refusal,
    amounts,
    content.balances,
    content.postings,
    content.entries,
  ]);
}

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
  const requestHash = isJsonObject(link.request) ? requestHashOf(canonicalRequest(link.request)) : null;
  if (requestHash === null || link.commandRequestHash !== requestHash) {
    const problem = link.commandRequestHash === null ? 'has lost its row in command' : 'has another request in command';
    return { sequence: link.sequence, problem: `result ${link.sequence} (${link.commandId}) ${problem}` };
  }
  if (linkHash(previous.hash, { ...link, environment, shard, requestHash }) === link.hash) return null;
  return {
    sequence: link.sequence,
    problem: `result ${link.sequence} (${link.commandId}) or its entries were changed`,
  };
}
