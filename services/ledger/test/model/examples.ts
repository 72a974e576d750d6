import { expect } from 'vitest';
import type { LedgerCommand, LedgerRefusal } from '@gateway/contracts/ledger';
import { PureLedger } from './pure-ledger.ts';

export const clockSec = 1_800_000_000;
export const common = { environment: 'test', accountId: 'acc_1', currency: 'BRL' } as const;
export const at = { ...common, provider: 'sandbox' } as const;
let commands = 0;

/** A command without what is the same for all of them. */
export type Part = { readonly kind: LedgerCommand['kind'] } & Readonly<Record<string, unknown>>;

function decisionOn(ledger: PureLedger, part: Part, atSec = clockSec) {
  const command = { ...common, id: `${part.kind}:${++commands}`, ...part } as unknown as LedgerCommand;
  const [decision] = ledger.applyAll([command], atSec).decisions;
  if (!decision) throw new Error(`${part.kind} was not decided`);
  return decision;
}

/** Carries the commands out, and gives the postings of the last one, a line each, and what the result says beside. */
export function postingsOf(before: readonly Part[], last: Part, atSec = clockSec): string[] {
  const ledger = new PureLedger();
  for (const part of before) expect(decisionOn(ledger, part), part.kind).toMatchObject({ outcome: 'applied' });
  const { outcome, postings, entries, amounts } = decisionOn(ledger, last, atSec);
  expect(outcome).toBe('applied');
  const merchant = postings.filter(({ bucket }) => bucket === 'available');
  expect(entries.map(({ amount }) => amount)).toEqual(merchant.map(({ amount }) => amount));
  return [
    ...postings.map((posting) => {
      const { currency, amount } = posting;
      const account = posting.bucket === 'system' ? posting.account : posting.bucket;
      const entry =
        posting.bucket === 'available' ? ` ${posting.entry.type} ${posting.entry.refType} ${posting.entry.refId}` : '';
      return `${account} ${amount} ${currency}${entry}`;
    }),
    ...Object.entries(amounts).map(([name, amount]) => `= ${name} ${amount}`),
  ];
}

export function refusalOf(before: readonly Part[], last: Part, atSec = clockSec): LedgerRefusal | null {
  const ledger = new PureLedger();
  for (const part of before) decisionOn(ledger, part);
  return decisionOn(ledger, last, atSec).refusal;
}

export const credit: Part = { ...at, kind: 'credit-deposit', depositId: 'dep_1', amount: 100, fee: 3, releaseAt: null };
export const retained: Part = { ...credit, releaseAt: clockSec + 50 };
export const debit: Part = { kind: 'debit-payout', payoutId: 'pyt_1', amount: 60, fee: 2 };
export const settle: Part = { ...at, kind: 'settle-payout', payoutId: 'pyt_1', amount: 60 };
export const reverse: Part = { ...debit, kind: 'reverse-payout' };
export const redebit: Part = { ...at, ...debit, kind: 'redebit-payout' };
export const returnPart: Part = { ...at, kind: 'return-payout', payoutId: 'pyt_1', amount: 25 };
export const refund: Part = {
  ...at,
  kind: 'refund-deposit',
  depositId: 'dep_1',
  refundId: 'rfd_1',
  amount: 30,
  depositAmount: 100,
};
export const reverseRefund: Part = { ...at, kind: 'reverse-refund', depositId: 'dep_1', refundId: 'rfd_1', amount: 30 };
export const redebitRefund: Part = { ...reverseRefund, kind: 'redebit-refund' };
export const bought: Part = {
  ...{ kind: 'book-trade', orderId: 'tro_1', venue: 'bitso' },
  ...{ amount: 54, fee: 0, targetCurrency: 'USDT', targetAmount: 10 },
};
export const spend: Part = { kind: 'adjust', adjustmentId: 'adj_1', amount: -57 };
export const block: Part = {
  kind: 'block-dispute',
  disputeId: 'med_1',
  depositId: 'dep_1',
  amount: 100,
  captureUntil: clockSec + 100,
};
export const lose: Part = { ...at, kind: 'return-dispute', disputeId: 'med_1' };
export const win: Part = { kind: 'release-dispute', disputeId: 'med_1' };
export const overturn: Part = { ...at, kind: 'overturn-dispute', disputeId: 'med_1' };
export const extend: Part = { kind: 'extend-dispute', disputeId: 'med_1', amount: 100 };
export const lapse: Part = { kind: 'lapse-dispute', disputeId: 'med_1' };
export const hold: Part = { ...at, kind: 'hold-receipt', depositId: 'dep_1', refundId: 'rfd_1', amount: 30 };
export const later: Part = { ...credit, depositId: 'dep_2', amount: 20, fee: 0 };
