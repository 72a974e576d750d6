import { expect, test } from 'vitest';
import type { LedgerCommandKind } from '@gateway/contracts/ledger';
import { referencedIds } from '#src/posting/referenced-ids.ts';

const [depositId, payoutId, refundId, disputeId] = ['dep_1', 'pyt_1', 'rfd_1', 'med_1'];

/** The records that the rule of each kind reads. */
const read: Readonly<Record<LedgerCommandKind, readonly string[]>> = {
  'credit-deposit': ['dep_1'],
  'release-pending': ['dep_1'],
  'debit-payout': ['pyt_1'],
  'settle-payout': ['pyt_1'],
  'reverse-payout': ['pyt_1'],
  'redebit-payout': ['pyt_1'],
  'return-payout': ['pyt_1'],
  'refund-deposit': ['dep_1', 'rfd_1'],
  'reverse-refund': ['dep_1', 'rfd_1'],
  'redebit-refund': ['dep_1', 'rfd_1'],
  'hold-receipt': ['rfd_1'],
  'return-receipt': ['rfd_1'],
  'block-dispute': ['dep_1', 'med_1'],
  'extend-dispute': ['med_1'],
  'release-dispute': ['med_1'],
  'return-dispute': ['med_1'],
  'overturn-dispute': ['med_1'],
  'lapse-dispute': ['med_1'],
  convert: [],
  'book-trade': [],
  'provider-fee': [],
  'own-funds': [],
  adjust: [],
};

test.each(Object.entries(read))('before %s is decided, the records its rule reads are loaded', (kind, ids) => {
  const command: object = { kind, depositId, payoutId, refundId, disputeId };
  expect(referencedIds(command as Parameters<typeof referencedIds>[0])).toEqual(ids);
});
