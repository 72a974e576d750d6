import { z } from 'zod';
import { environmentSchema } from '#src/environment.ts';
import { idSchema } from '#src/ids/id.ts';
import { ledgerEntrySchema, ledgerEntryTypeSchema } from '#src/ledger/entry.ts';
import { balanceSchema } from '#src/ledger/result.ts';
import { defineRpc } from '#src/messages/define.ts';
import { currencySchema } from '#src/money/currency.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/** Balances of every currency the account has operated; with `at`, `available` as it stood then (other buckets zero). */
export const getBalance = defineRpc({
  subject: 'rpc.ledger.get-balance.v1',
  owner: 'ledger',
  request: z.object({ ...owner, at: z.int().nonnegative().optional() }),
  reply: z.object({ balances: z.array(balanceSchema) }),
});

/** A page of entries, newest first. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listEntries = defineRpc({
  subject: 'rpc.ledger.list-entries.v1',
  owner: 'ledger',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    currency: currencySchema.optional(),
    type: ledgerEntryTypeSchema.optional(),
    refId: z.string().max(64).optional(),
    /** Unix seconds, inclusive. */
    from: z.int().nonnegative().optional(),
    /** Unix seconds, exclusive. */
    to: z.int().nonnegative().optional(),
  }),
  reply: z.object({ entries: z.array(ledgerEntrySchema), nextCursor: z.string().nullable() }),
});
