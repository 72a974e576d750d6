import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';
import { requestText } from '#src/values/request-text.ts';

const hash = z.base64().length(44);
/** A part of the ledger with a chain, and so a tree, of its own. */
const shard = { environment: environmentSchema, shard: z.int().min(0).max(32_767) };
const size = z.int().nonnegative();

/** What proves that an entry is in the ledger: the parts of a C2SP tlog-proof. */
const entryProofSchema = z.object({
  /** The exact text whose SHA-256 is the link: the record of the tree is that hash. */
  link: z.string(),
  /** Of the link in the tree, from 0 on. */
  index: z.int().nonnegative(),
  /** From the leaf's sibling to the root's child. */
  hashes: z.array(hash),
  /** The signed note of the tree. */
  checkpoint: z.string(),
});

/**
 * The proof of one entry. Null until a checkpoint covers it, about a minute after it was booked. NOT_FOUND when the
 * account has no such entry.
 */
export const getReceipt = defineRpc({
  subject: 'rpc.ledger.get-receipt.v1',
  owner: 'ledger',
  request: z.object({
    environment: environmentSchema,
    accountId: idSchema('account'),
    entryId: requestText(0, 120),
  }),
  reply: z.object({ receipt: entryProofSchema.nullable() }),
});

const checkpointKeySchema = z.object({
  environment: environmentSchema,
  shard: z.int(),
  number: z.int(),
  /** C2SP's text of a public key: name, id and key. */
  text: z.string(),
  /** Unix seconds. */
  createdAt: z.int(),
  retiredAt: z.int().nullable(),
  /** A note by the key before it that names this one; null for the first. */
  endorsement: z.string().nullable(),
  /**
   * The key of ML-DSA-44 that signs beside it, with a note that names that one, by this key and the second key before; null of
   * a key that an earlier version has replaced.
   */
  second: z.object({ text: z.string(), createdAt: z.int(), endorsement: z.string() }).nullable().default(null),
});

/** The public keys of checkpoints of every shard, the oldest first. */
export const listCheckpointKeys = defineRpc({
  subject: 'rpc.ledger.list-checkpoint-keys.v1',
  owner: 'ledger',
  request: z.object({}),
  reply: z.object({ keys: z.array(checkpointKeySchema) }),
});

/**
 * Replaces the key that signs checkpoints; the one before endorses it and is forgotten. `replaces` is the number of the key
 * that two operators decided about: one that is replaced by now is not replaced again. An earlier gateway does not say.
 */
export const rotateCheckpointKey = defineRpc({
  subject: 'rpc.ledger.rotate-checkpoint-key.v1',
  owner: 'ledger',
  request: z.object({ replaces: z.int().positive().nullable().default(null) }),
  reply: listCheckpointKeys.reply,
});

/** The newest signed checkpoint of a shard, as a note; null before the first. NOT_FOUND when there is no such shard. */
export const getCheckpoint = defineRpc({
  subject: 'rpc.ledger.get-checkpoint.v1',
  owner: 'ledger',
  callers: ['api-gateway', 'reconciler'],
  request: z.object(shard),
  reply: z.object({ checkpoint: z.string().nullable() }),
});

/** The hashes of one tile of C2SP tlog-tiles, as many as there are. NOT_FOUND when there is none. */
export const getTile = defineRpc({
  subject: 'rpc.ledger.get-tile.v1',
  owner: 'ledger',
  request: z.object({ ...shard, level: z.int().min(0).max(5), index: size }),
  reply: z.object({ hashes: z.base64() }),
});

/** What proves that the tree of one size grew into that of another. A VALIDATION_ERROR names a size that is not there. */
export const getConsistency = defineRpc({
  subject: 'rpc.ledger.get-consistency.v1',
  owner: 'ledger',
  request: z.object({ ...shard, from: size, to: size }),
  reply: z.object({ hashes: z.array(hash) }),
});

/** The places outside that keep signed checkpoints. */
export const anchorTargets = ['bucket', 'timestamp', 'auditor', 'witness'] as const;

const anchorSchema = z.object({
  ...shard,
  size,
  target: z.enum(anchorTargets),
  /** Unix seconds. */
  queuedAt: z.int(),
  /** Null while it waits. */
  keptAt: z.int().nullable(),
  attempts: z.int(),
  /** Of the last attempt; null once it is kept. */
  failure: z.string().nullable(),
  /** Whether what was answered is stored: a token, or a cosignature. */
  hasEvidence: z.boolean(),
});
export type Anchor = z.infer<typeof anchorSchema>;

/** Signed checkpoints that are kept outside, or are to be, the largest first. */
export const listAnchors = defineRpc({
  subject: 'rpc.ledger.list-anchors.v1',
  owner: 'ledger',
  request: z.object({
    ...shard,
    target: z.enum(anchorTargets).optional(),
    isKept: z.boolean().optional(),
    limit: z.int().min(1).max(1_000),
    /** The last one received. */
    after: z.object({ size, target: z.enum(anchorTargets) }).optional(),
  }),
  reply: z.object({ anchors: z.array(anchorSchema), isLast: z.boolean() }),
});

/** One of them with its note and, in base64, what was sent and answered. NOT_FOUND when there is none. */
export const getAnchor = defineRpc({
  subject: 'rpc.ledger.get-anchor.v1',
  owner: 'ledger',
  request: z.object({ ...shard, size, target: z.enum(anchorTargets) }),
  reply: z.object({
    anchor: anchorSchema,
    checkpoint: z.string(),
    request: z.base64().nullable(),
    answer: z.base64().nullable(),
  }),
});
