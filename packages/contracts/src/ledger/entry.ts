import { z } from 'zod';
import { idSchema, currencySchema, minorUnitsSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';

/** Types of public ledger entries (spec 2.4, api.md 2): movements of `available`, and nothing else. */
export const ledgerEntryTypeSchema = z
  .enum([
    'DEPOSIT_NET',
    'PAYOUT',
    'PAYOUT_FEE',
    'PAYOUT_REVERSAL',
    'PAYOUT_FEE_REVERSAL',
    'PAYOUT_RETURN',
    'DEPOSIT_REFUND',
    'MED_BLOCK',
    'MED_RELEASE',
    'CONVERSION',
    'ADJUSTMENT',
  ])
  .meta({
    id: 'LedgerEntryType',
    description:
      'What moved the money: `_REVERSAL` gives back what a failed payout took, `PAYOUT_RETURN` is a paid payout that was ' +
      'sent back, `MED_` belongs to a dispute, and `ADJUSTMENT` is a correction by operators.',
  });
export type LedgerEntryType = z.infer<typeof ledgerEntryTypeSchema>;

export const ledgerRefTypeSchema = z.enum(['deposit', 'payout', 'refund', 'dispute', 'conversion', 'adjustment']).meta({
  id: 'LedgerRefType',
  description: 'The kind of record that an entry belongs to.',
});
export type LedgerRefType = z.infer<typeof ledgerRefTypeSchema>;

/** One movement of a merchant's available balance. */
export const ledgerEntrySchema = z.object({
  id: idSchema('ledgerEntry'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  type: ledgerEntryTypeSchema,
  currency: currencySchema,
  /** Signed: credits positive, debits negative. */
  amount: minorUnitsSchema,
  refType: ledgerRefTypeSchema,
  refId: z.string(),
  /** Available balance of the currency right after this entry. */
  balanceAfter: minorUnitsSchema,
  /** Unix seconds. */
  createdAt: z.int(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
