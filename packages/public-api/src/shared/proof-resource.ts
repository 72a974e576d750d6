import { z } from 'zod';
import { recordId, text, unixSeconds } from '#src/shared/members.ts';

/** What is answered while an entry is in no signed checkpoint yet. */
export const receiptPendingSchema = z
  .object({
    id: recordId('ledgerEntry', 'The id of the entry.'),
    status: z.literal('PROCESSING').meta({ description: 'The next checkpoint will have the entry.' }),
  })
  .meta({ id: 'ReceiptPending', description: 'The receipt is there after the next checkpoint, within a minute.' });

/** The key of ML-DSA-44 beside one of Ed25519, as merchants and operators see it. */
const secondKeySchema = z
  .object({
    key: text(
      'The public key as verifiers take it: the name of the ledger, the id of the key and the ML-DSA-44 key (C2SP).',
      'pay.example.com/ledger/live.0+7c01f2aa+BmD0…',
    ),
    created_at: unixSeconds('When it began to sign.', 1_767_348_100),
    endorsement: text(
      'A note that names it, signed by the key that it is beside and by the second key before it, where there is one.',
      'pay.example.com/ledger/live.0\nnext key\n…',
    ),
  })
  .meta({
    id: 'SecondKey',
    description:
      'A key of ML-DSA-44 that signs every checkpoint a second time: no quantum computer is known to forge it.',
  });

/** @param second as the ledger has it */
export function presentSecondKey(
  second: { readonly text: string; readonly createdAt: number; readonly endorsement: string } | null,
) {
  if (second === null) return null;
  return { key: second.text, created_at: second.createdAt, endorsement: second.endorsement };
}

export const secondKeyMember = secondKeySchema
  .nullable()
  .describe('The key that signs beside it; null of a key that was replaced before there were such keys.');

const proofKeySchema = z
  .object({
    key: text(
      'The public key as verifiers take it: the name of the ledger, the id of the key and the Ed25519 key (C2SP signed-note).',
      'pay.example.com/ledger/live.0+0d1da8bb+AfVw7OcidREX3831lzB+UkkZm8ImKvuij20SydpAaGTf',
    ),
    created_at: unixSeconds('When it began to sign.', 1_767_348_100),
    retired_at: unixSeconds('When the next key took its place; null for the key that signs.').nullable(),
    endorsement: text(
      'A note that names this key, signed by the key before it and by this one; null for the first.',
      'pay.example.com/ledger/live.0\nnext key\n…',
    ).nullable(),
    second_key: secondKeyMember,
  })
  .meta({
    id: 'ProofKey',
    description: 'A key that signs the checkpoints of the ledger, or did until it was replaced.',
  });

/** Few, and all at once: without a cursor. */
export const proofKeysSchema = z
  .object({ data: z.array(proofKeySchema).describe('The keys, the oldest first.') })
  .meta({ id: 'ProofKeys', description: 'The keys with which receipts are verified.' });

const sizeMessage = 'must be the size of a checkpoint, 1 or more';

export const consistencyQuerySchema = z.strictObject({
  from: z
    .string(sizeMessage)
    .regex(/^[1-9]\d{0,14}$/, sizeMessage)
    .transform(Number)
    // What arrives is text; what callers mean is a number.
    .meta({
      type: 'integer',
      ...{ minimum: 1, maximum: 999_999_999_999_999 },
      description: 'The size of the checkpoint that you have, which is its second line.',
    }),
});
