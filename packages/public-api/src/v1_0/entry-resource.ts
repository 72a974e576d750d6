import { z } from 'zod';
import type { LedgerEntry } from '@gateway/contracts/ledger';
import { entryResourceSchema } from '#src/v0_1/entry-resource.ts';

/** A ledger entry as contract 1.0 shows it (spec 2.4, api.md 3), in minor units of its currency. */
export const entryResourceV1Schema = entryResourceSchema
  .omit({ amount_cents: true, balance_after_cents: true })
  .extend({ amount: z.int(), balance_after: z.int() });

export function presentEntryV1(entry: LedgerEntry): z.infer<typeof entryResourceV1Schema> {
  return {
    id: entry.id,
    type: entry.type,
    amount: entry.amount,
    currency: entry.currency,
    ref_type: entry.refType,
    ref_id: entry.refId,
    balance_after: entry.balanceAfter,
    created_at: entry.createdAt,
  };
}
