import { z } from 'zod';
import {
  anchorTargets,
  type Anchor,
  type getAnchor,
  type getTile,
  type listAnchors,
  type listCheckpointKeys,
} from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import { count, objectName, text, unixSeconds } from '#src/shared/members.ts';
import { onlyPage } from '#src/shared/page.ts';
import { csvQuery, pageLimit } from '#src/shared/page-query.ts';
import { presentSecondKey, secondKeyMember } from '#src/shared/proof-resource.ts';

const log = 'pay.example.com/ledger/live.0';
const key = `${log}+0d1da8bb+AfVw7OcidREX3831lzB+UkkZm8ImKvuij20SydpAaGTf`;
const hash = 'uLC+g7q4lBtbdyaI1dGBkV53d6nK4jcaB1/MdvR6axk=';

const hashes = (what: string) => z.array(z.base64()).meta({ description: what, examples: [[hash]] });

/** A signed statement of a shard's tree, as operators pass it on. */
export const checkpointResourceSchema = z
  .object({
    object: objectName('checkpoint'),
    checkpoint: text(
      'The signed note: the name of the log, its size and root, and signatures (C2SP).',
      `${log}\n11\n…`,
    ),
  })
  .meta({ id: 'Checkpoint', description: 'What the ledger states of all that it has decided, signed.' });

export const tileResourceSchema = z
  .object({ object: objectName('tile'), hashes: hashes('The hashes that the tile has, 256 at most.') })
  .meta({ id: 'Tile', description: 'A part of the tree over the chain of a shard (C2SP tlog-tiles).' });

export const consistencyResourceSchema = z
  .object({ object: objectName('consistency'), hashes: hashes('The hashes of the proof, in their order.') })
  .meta({ id: 'Consistency', description: 'What proves that a tree contains an earlier one whole (RFC 9162, 2.1.4).' });

const size = (what: string) => z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).describe(what);

/** Query of `GET /ops/proof/{environment}/{shard}/consistency`. */
export const treesQuerySchema = z.strictObject({
  from: size('The size of the earlier tree, out of its checkpoint.'),
  to: size('The size of the later tree.'),
});

const checkpointKeySchema = z
  .object({
    environment: environmentSchema.describe('The environment whose checkpoints it signs.'),
    shard: z.int().meta({ description: 'The shard whose checkpoints it signs.', examples: [0] }),
    number: count('The first key of the ledger is 1.'),
    key: text('The public key as programs that verify take it: name, id and key (C2SP).', key),
    created_at: unixSeconds('Since when it signs.'),
    retired_at: unixSeconds('When another key took its place; null for the one that signs.').nullable(),
    endorsement: text(
      'A note by the key before it that names this one; null for the first.',
      `${log}\nnext key\n…`,
    ).nullable(),
    second_key: secondKeyMember,
  })
  .meta({ id: 'CheckpointKey', description: 'A key with which checkpoints are signed.' });

export const checkpointKeysResourceSchema = z
  .object({ data: z.array(checkpointKeySchema).describe('Every key of every shard, the oldest first.'), ...onlyPage })
  .meta({ id: 'CheckpointKeys', description: 'The keys with which checkpoints are signed.' });

export function presentTile({ hashes: base64 }: ReplyOf<typeof getTile>): z.infer<typeof tileResourceSchema> {
  const bytes = Buffer.from(base64, 'base64');
  const starts = Array.from({ length: bytes.length / hashBytes }, (_, index) => index * hashBytes);
  const one = (start: number) => bytes.subarray(start, start + hashBytes).toString('base64');
  return { object: 'tile', hashes: starts.map(one) };
}

const hashBytes = 32;

export function presentKeys({
  keys,
}: ReplyOf<typeof listCheckpointKeys>): z.infer<typeof checkpointKeysResourceSchema> {
  return {
    data: keys.map(({ environment, shard, number, text: shown, createdAt, retiredAt, endorsement, second }) => ({
      environment,
      shard,
      number,
      key: shown,
      created_at: createdAt,
      retired_at: retiredAt,
      endorsement,
      second_key: presentSecondKey(second),
    })),
    next_cursor: null,
  };
}

const anchorShape = {
  object: objectName('anchor'),
  id: text('Environment, shard, size and target.', 'live.0.1042.timestamp'),
  size: count('The size of the checkpoint: how many decisions it has.'),
  target: z.enum(anchorTargets).describe('Where it is kept.'),
  status: z.enum(['WAITING', 'KEPT']).describe('Whether the other side has it.'),
  queued_at: unixSeconds('Since when it is to be kept there.'),
  kept_at: unixSeconds('When it was kept; null while it waits.').nullable(),
  attempts: count('How often it was sent.'),
  failure: text('Why the last attempt failed; null once it is kept.', 'answered 503').nullable(),
  has_evidence: z.boolean().describe('Whether what was answered is stored: a token, or a cosignature.'),
};

/** A signed checkpoint at one of the places outside. */
export const anchorResourceSchema = z
  .object(anchorShape)
  .meta({ id: 'Anchor', description: 'A signed checkpoint that is kept outside, or is to be.' });

const base64 = (what: string) =>
  z
    .base64()
    .nullable()
    .meta({ description: what, examples: ['MIIC'] });

/** The same with its evidence. */
export const anchorEvidenceResourceSchema = z
  .object({
    ...anchorShape,
    checkpoint: text('The signed note that is kept.', `${log}\n11\n…`),
    request: base64('What was sent, in base64, where it belongs to the evidence: the query for a token.'),
    answer: base64('What was answered, in base64: the token of a time stamping authority, or the line of a witness.'),
  })
  .meta({ id: 'AnchorEvidence', description: 'A checkpoint that is kept outside, with what was answered.' });

const cursorForm = /^(?:test|live)\.\d{1,5}\.(\d{1,15})\.([a-z]{1,20})$/;

/** Query of `GET /ops/proof/{environment}/{shard}/anchors`. Their ids are made of where they are. */
export const anchorsQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: requestText(1, 64)
    .regex(cursorForm, 'is not the id of a record in this list')
    .optional()
    .describe('The id of the last record received: the page after it.'),
  ...csvQuery,
  target: z.enum(anchorTargets).optional().describe('Only those of this place.'),
  status: z.enum(['WAITING', 'KEPT']).optional().describe('Only those that wait, or those that are kept.'),
});

/** What a cursor stands for; nothing without one. */
export function anchorAfter(cursor: string | undefined): RequestOf<typeof listAnchors>['after'] {
  const [, of = '', name] = cursorForm.exec(cursor ?? '') ?? [];
  const target = anchorTargets.find((one) => one === name);
  return target && { size: Number(of), target };
}

export function presentAnchor(anchor: Anchor): z.infer<typeof anchorResourceSchema> {
  const { environment, shard, target, queuedAt, keptAt, attempts, failure, hasEvidence } = anchor;
  return {
    ...{ object: 'anchor', id: `${environment}.${shard}.${anchor.size}.${target}`, size: anchor.size, target },
    status: keptAt === null ? 'WAITING' : 'KEPT',
    ...{ queued_at: queuedAt, kept_at: keptAt, attempts, failure, has_evidence: hasEvidence },
  };
}

export function presentAnchorEvidence({
  anchor,
  ...evidence
}: ReplyOf<typeof getAnchor>): z.infer<typeof anchorEvidenceResourceSchema> {
  return { ...presentAnchor(anchor), ...evidence };
}
