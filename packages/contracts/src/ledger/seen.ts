import { z } from 'zod';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc, type ServiceName } from '#src/messages/define.ts';

/**
 * One link of a shard's hash chain. Its number and hash are those of the link for good; the incarnation is the one in
 * which the ledger was when it named the link. Operators open a new one after the ledger has lost the end of a chain:
 * the links that follow take the places of those that were lost.
 */
export const chainLinkSchema = z.object({
  shard: z.int().nonnegative(),
  incarnation: z.int().nonnegative(),
  sequence: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ChainLink = z.infer<typeof chainLinkSchema>;

/** True when the ledger had come further when it named this link. */
export function isBeyond(link: ChainLink, other: ChainLink): boolean {
  if (link.incarnation !== other.incarnation) return link.incarnation > other.incarnation;
  return link.sequence > other.sequence;
}

/** Services that keep the highest link they were answered with, or have read, and so know that the ledger had it. */
export const ledgerWitnesses = [
  'deposits',
  'payouts',
  'api-gateway',
  'reconciler',
] as const satisfies readonly ServiceName[];
export type LedgerWitness = (typeof ledgerWitnesses)[number];

/**
 * The highest link of a shard that the service was answered with; null before its first answer. It may be up to a second
 * behind what the service has seen, so it proves that the ledger had this link, and nothing about later ones.
 */
function ledgerSeenRpc(owner: LedgerWitness) {
  return defineRpc({
    subject: `rpc.${owner}.get-ledger-seen.v1`,
    owner,
    callers: ['ledger'],
    request: z.object({ environment: environmentSchema, shard: z.int().nonnegative() }),
    reply: z.object({ seen: chainLinkSchema.nullable() }),
  });
}

export const getLedgerSeenByDeposits = ledgerSeenRpc('deposits');
export const getLedgerSeenByPayouts = ledgerSeenRpc('payouts');
export const getLedgerSeenByGateway = ledgerSeenRpc('api-gateway');
export const getLedgerSeenByReconciler = ledgerSeenRpc('reconciler');

/** A link that a witness has seen, and that the chain does not have: it does not reach it, or has another one there. */
const contradictionSchema = z.object({
  witness: z.string(),
  disagreement: z.enum(['ahead', 'differs']),
  seen: chainLinkSchema,
});

/** Clocks that differ by no more count as equal: NTP steps and slow answers stay far below. */
export const clockLimitMs = 10_000;

/** A shard's chain and what its witnesses say about it. Without contradictions nothing was lost, as far as they know. */
export const lostRangeSchema = z.object({
  environment: environmentSchema,
  shard: z.int().nonnegative(),
  /** The present one, and the end of the chain; the hash of an empty chain is all zeros. */
  incarnation: z.int().nonnegative(),
  headSequence: z.int().nonnegative(),
  headHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The highest link that a witness has seen; the head where none has seen more. */
  lostThrough: z.int().nonnegative(),
  contradictions: z.array(contradictionSchema),
  /** Witnesses that did not answer. */
  silent: z.array(z.string()),
  /** When the last link was decided, Unix milliseconds, and by how much PostgreSQL's clock had not reached that. */
  decidedAtMs: z.int().nonnegative().default(0),
  aheadMs: z.int().nonnegative().default(0),
});
export type LostRange = z.infer<typeof lostRangeSchema>;

/** Whether nothing is decided on a chain before operators let it go on: it has lost its end, or ends in the future. */
export function needsOperators({ contradictions, aheadMs }: Pick<LostRange, 'contradictions' | 'aheadMs'>): boolean {
  return contradictions.length > 0 || aheadMs > clockLimitMs;
}

/** @throws NotFoundError for a shard that does not exist */
export const getLostRange = defineRpc({
  subject: 'rpc.ledger.get-lost-range.v1',
  owner: 'ledger',
  request: z.object({ environment: environmentSchema, shard: z.int().nonnegative() }),
  reply: z.object({ range: lostRangeSchema }),
});

/**
 * Lets a chain go on that has lost its end, or whose last link is dated in the future, once under the approval's id. The writer
 * opens the incarnation when it tries again to decide; the time of the last link is accepted then, and what follows is dated
 * there until PostgreSQL's clock has reached it. INVALID_STATE where the chain is not the one that was approved.
 */
export const openIncarnation = defineRpc({
  subject: 'rpc.ledger.open-incarnation.v1',
  owner: 'ledger',
  request: z.object({
    approvalId: z.string().min(1).max(64),
    range: lostRangeSchema,
    proposedBy: z.string().min(1).max(200),
    approvedBy: z.string().min(1).max(200),
  }),
  reply: z.object({ number: z.int().positive() }),
});
