import { z } from 'zod';
import { ledgerEntryTypeSchema, ledgerRefTypeSchema, type LedgerEntry } from '@gateway/contracts/ledger';
import { currencySchema } from '@gateway/money';

/** A ledger entry as contract 0.1 shows it (spec 2.4, api.md 2). */
export const entryResourceSchema = z.object({
  id: z.string(),
  type: ledgerEntryTypeSchema,
  amount_cents: z.int(),
  currency: currencySchema,
  ref_type: ledgerRefTypeSchema,
  ref_id: z.string(),
  balance_after_cents: z.int(),
  created_at: z.int(),
});
export type EntryResource = z.infer<typeof entryResourceSchema>;

export function presentEntry(entry: LedgerEntry): EntryResource {
  return {
    id: entry.id,
    type: entry.type,
    amount_cents: entry.amount,
    currency: entry.currency,
    ref_type: entry.refType,
    ref_id: entry.refId,
    balance_after_cents: entry.balanceAfter,
    created_at: entry.createdAt,
  };
}
