import type { LedgerEntryType } from '@gateway/contracts/ledger';
import { available, system, type Owner, type Posting, type SystemAccount } from '#src/posting/posting.ts';
import type { PayoutReference, RefundReference } from '#src/posting/reference.ts';

/**
 * What merchants owe us for money that left without being covered by their balance; negative, as what we hold
 * elsewhere.
 */
export const receivables: SystemAccount = 'receivables';

/** A record whose money has left although the balance did not cover it; `shortfall` is what the account owes. */
export type Debtor = PayoutReference | RefundReference;

/** Debits a part of a record's cost from available: the amount first, then a payout's fee. */
export function paymentFor(debtor: Debtor, owed: number, part: number): Posting[] {
  const owner: Owner = debtor;
  if (debtor.kind === 'refund') return [line(owner, 'DEPOSIT_REFUND', debtor, part)];
  const ofAmount = Math.min(part, owed - Math.min(owed, debtor.fee));
  return [line(owner, 'PAYOUT', debtor, ofAmount), line(owner, 'PAYOUT_FEE', debtor, part - ofAmount)];
}

/** A credit pays a part of the debt. */
export function repayment(debtor: Debtor, part: number): Posting[] {
  return [...paymentFor(debtor, debtor.shortfall, part), system(receivables, debtor.currency, part)];
}

function line(owner: Owner, type: LedgerEntryType, { kind, id }: Debtor, amount: number): Posting {
  return available(owner, -amount, { type, refType: kind, refId: id });
}
