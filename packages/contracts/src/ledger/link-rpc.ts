import { z } from 'zod';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** One decision of the ledger in the form its chain covers, so that a reader can check it without a rule of ours. */
export const hashedLinkSchema = z.object({
  /** The exact text whose SHA-256 is the link; a JSON array, see `chainLinkContentSchema`. */
  text: z.string(),
  /** The command as it was decided; the text has its SHA-256. */
  request: z.string(),
  /** 64 hexadecimal digits, as they are stored. */
  hash: z.string(),
});
export type HashedLink = z.infer<typeof hashedLinkSchema>;

const balanceSchema = z.tuple([z.string(), z.int(), z.int(), z.int()]);
const postingSchema = z.tuple([z.string(), z.string(), z.string(), z.int()]);
const entrySchema = z.tuple([
  z.string().describe('id'),
  z.string().describe('account'),
  z.string().describe('currency'),
  z.int().describe('number'),
  z.string().describe('type'),
  z.int().describe('amount'),
  z.string().describe('kind of the record'),
  z.string().describe('id of the record'),
  z.int().describe('balance after it'),
]);

/** What the text of a link says, in the order of its members. */
export const chainLinkContentSchema = z.tuple([
  z.string().describe('hash of the link before'),
  environmentSchema,
  z.int().describe('shard'),
  z.int().describe('sequence: 1, 2, 3 … without gaps'),
  z.int().describe('decided at, Unix milliseconds'),
  z.string().describe('command id'),
  z.string().describe('SHA-256 of the request, hexadecimal'),
  z.enum(['applied', 'refused']),
  z.string().nullable().describe('refusal'),
  z.array(z.tuple([z.string(), z.int()])).describe('amounts that the ledger decided'),
  z.array(balanceSchema).describe('balances after it: currency, available, pending, blocked'),
  z.array(postingSchema).describe('postings: account, bucket, currency, amount'),
  z.array(entrySchema).describe('entries'),
]);
export type ChainLinkContent = z.infer<typeof chainLinkContentSchema>;

export const chainLinksMax = 400;

/**
 * A shard's decisions after a sequence, in their order, as many as fit into a message. Fewer than asked for does not mean
 * that there are no more; none does.
 */
export const listLinks = defineRpc({
  subject: 'rpc.ledger.list-links.v1',
  owner: 'ledger',
  callers: ['reconciler'],
  request: z.object({
    environment: environmentSchema,
    shard: z.int().nonnegative(),
    /** The last one that the caller has; 0 for the beginning. */
    after: z.int().nonnegative(),
    /** When that was decided, Unix milliseconds; 0 for the beginning. None that follows was decided before. */
    afterMs: z.int().nonnegative(),
    limit: z.int().min(1).max(chainLinksMax),
  }),
  reply: z.object({
    links: z.array(hashedLinkSchema),
    /** The hash of the decision the caller has, as it is stored; null where there is none, as in a ledger that was restored. */
    before: z.string().nullable().optional(),
    /** In which the ledger is; a ledger of an earlier version does not say. */
    incarnation: z.int().nonnegative().optional(),
  }),
});
