import { z } from 'zod';
import { ledgerEntryTypeSchema, ledgerRefTypeSchema } from '@gateway/contracts/ledger';
import { currencySchema } from '@gateway/money';
import { minorUnits, recordId, text, unixSeconds } from '#src/shared/members.ts';

/** A ledger entry as contract 0.1 shows it (spec 2.4, api.md 2). */
export const entryResourceSchema = z
  .object({
    id: recordId('ledgerEntry', 'The id of the entry.'),
    type: ledgerEntryTypeSchema.describe('What moved the money.'),
    amount_cents: minorUnits('What the available balance changed by: credits are positive, debits negative.', 1_940),
    currency: currencySchema.describe('The currency of the amounts.'),
    ref_type: ledgerRefTypeSchema.describe('The kind of record that it belongs to.'),
    ref_id: text('The id of that record.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    balance_after_cents: minorUnits('The available balance right after this entry.', 194_000),
    created_at: unixSeconds('When it was written.', 1_767_348_100),
  })
  .meta({ id: 'LedgerEntry', description: 'One movement of the available balance.' });
export type EntryResource = z.infer<typeof entryResourceSchema>;
