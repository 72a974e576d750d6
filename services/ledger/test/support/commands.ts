import type { LedgerCommandKind, LedgerCommandOf } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';

/** Commands a sender would make, with everything a test does not care about filled in. */
type Given<K extends LedgerCommandKind> = Partial<LedgerCommandOf<K>>;

const common = { environment: 'test', currency: 'BRL' } as const;

export function creditDeposit(
  accountId: string,
  given: Given<'credit-deposit'> = {},
): LedgerCommandOf<'credit-deposit'> {
  const depositId = given.depositId ?? newId('deposit');
  return {
    kind: 'credit-deposit',
    ...common,
    id: `credit-deposit:${depositId}`,
    accountId,
    depositId,
    provider: 'sandbox',
    amount: 10_000,
    fee: 100,
    releaseAt: null,
    ...given,
  };
}

export function debitPayout(accountId: string, given: Given<'debit-payout'> = {}): LedgerCommandOf<'debit-payout'> {
  const payoutId = given.payoutId ?? newId('payout');
  return {
    kind: 'debit-payout',
    ...common,
    id: `debit-payout:${payoutId}`,
    accountId,
    payoutId,
    amount: 1_000,
    fee: 10,
    ...given,
  };
}

export function adjust(accountId: string, amount: number): LedgerCommandOf<'adjust'> {
  const adjustmentId = newId('adjustment');
  return { kind: 'adjust', ...common, id: `adjust:${adjustmentId}`, accountId, adjustmentId, amount };
}
