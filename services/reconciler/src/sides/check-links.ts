import { hash } from 'node:crypto';
import type { HashedLink, ChainLinkContent } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';

/** A shard of the ledger, whose decisions are one chain. */
export interface Shard {
  readonly environment: Environment;
  readonly shard: number;
}

/** The last link that was read. */
export interface ChainPlace {
  readonly sequence: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
}

export const chainBeginning: ChainPlace = { sequence: 0, hash: '0'.repeat(64), decidedAtMs: 0 };

/** What a command says of itself, as far as it is compared. */
export interface LinkRequest {
  readonly kind: string;
  readonly accountId: string;
  readonly currency: string;
  readonly amount?: number;
  readonly fee?: number;
  /** Of a payment, and of what goes back of it. */
  readonly depositId?: string;
  /** Of a transfer of our own whose line is not known yet: what the line will say. */
  readonly reference?: string | null;
}

/** A link that is as the ledger wrote it, and follows on the one before. */
export interface SoundLink {
  readonly place: ChainPlace;
  readonly commandId: string;
  readonly request: LinkRequest;
  readonly isApplied: boolean;
  readonly postings: ChainLinkContent[11];
  readonly entries: ChainLinkContent[12];
}

export interface ReadLinks {
  readonly links: readonly HashedLink[];
  /** What the ledger has where the reading goes on from; one of an earlier version does not say. */
  readonly before?: string | null | undefined;
  /** In which the ledger is; one of an earlier version does not say. */
  readonly incarnation?: number | undefined;
}

export interface CheckedLinks {
  readonly sound: readonly SoundLink[];
  /** What is wrong with the first link that is not sound; those after it prove nothing. */
  readonly problem: string | null;
}

/**
 * Recomputes the hash of each link and of its request, and compares it with the link before: a changed, removed or
 * inserted decision is found when it is read. So is a ledger that was restored without the last link that was read, before
 * it has decided anything that would not follow on it.
 */
export function checkLinks(
  { environment, shard }: Shard,
  after: ChainPlace,
  { links, before: stored }: ReadLinks,
): CheckedLinks {
  const sound: SoundLink[] = [];
  if (after.sequence > 0 && stored !== undefined && stored !== after.hash) {
    return {
      sound,
      problem: `result ${after.sequence}, which was read, is ${stored === null ? 'no more' : 'another one'}`,
    };
  }
  let before = after;
  for (const link of links) {
    const sequence = before.sequence + 1;
    if (sha256(link.text) !== link.hash) return { sound, problem: `result ${sequence} or its entries were changed` };
    // Its hash is that of a text the ledger wrote, which has this form.
    const content = JSON.parse(link.text) as ChainLinkContent;
    const [previous, ofEnvironment, ofShard, ofSequence, decidedAtMs, commandId, requestHash, outcome] = content;
    if (ofEnvironment !== environment || ofShard !== shard) {
      return { sound, problem: `result ${sequence} belongs to ${ofEnvironment}.${ofShard}` };
    }
    if (ofSequence !== sequence) return { sound, problem: `result ${sequence} is missing` };
    if (previous !== before.hash) return { sound, problem: `result ${sequence} does not follow on the one before` };
    if (sha256(link.request) !== requestHash) return { sound, problem: `result ${sequence} has another request` };
    before = { sequence, hash: link.hash, decidedAtMs };
    const request = JSON.parse(link.request) as LinkRequest;
    const [postings, entries] = [content[11], content[12]];
    sound.push({ place: before, commandId, request, isApplied: outcome === 'applied', postings, entries });
  }
  return { sound, problem: null };
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
