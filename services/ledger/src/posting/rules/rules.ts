import type { LedgerCommand, LedgerCommandKind } from '@gateway/contracts/ledger';
import type { LedgerView, Rule, RuleResult } from '#src/posting/rule.ts';
import { adjust, bookTrade, convert, ownFunds, providerFee } from '#src/posting/rules/balance-rules.ts';
import { creditDeposit, releasePending } from '#src/posting/rules/deposit-rules.ts';
import {
  blockDispute,
  extendDispute,
  lapseDispute,
  overturnDispute,
  releaseDispute,
  returnDispute,
} from '#src/posting/rules/dispute-rules.ts';
import {
  debitPayout,
  redebitPayout,
  returnPayout,
  reversePayout,
  settlePayout,
} from '#src/posting/rules/payout-rules.ts';
import {
  holdReceipt,
  redebitRefund,
  refundDeposit,
  returnReceipt,
  reverseRefund,
} from '#src/posting/rules/refund-rules.ts';

/** What each command posts (design.md 5). A command without a rule does not compile. */
const rules: { readonly [K in LedgerCommandKind]: Rule<K> } = {
  'credit-deposit': creditDeposit,
  'release-pending': releasePending,
  'debit-payout': debitPayout,
  'settle-payout': settlePayout,
  'reverse-payout': reversePayout,
  'redebit-payout': redebitPayout,
  'return-payout': returnPayout,
  'refund-deposit': refundDeposit,
  'reverse-refund': reverseRefund,
  'redebit-refund': redebitRefund,
  'block-dispute': blockDispute,
  'extend-dispute': extendDispute,
  'release-dispute': releaseDispute,
  'return-dispute': returnDispute,
  'overturn-dispute': overturnDispute,
  'lapse-dispute': lapseDispute,
  'hold-receipt': holdReceipt,
  'return-receipt': returnReceipt,
  convert,
  'book-trade': bookTrade,
  'provider-fee': providerFee,
  'own-funds': ownFunds,
  adjust,
};

export function evaluate(command: LedgerCommand, view: LedgerView, atMs: number): RuleResult {
  const rule = rules[command.kind] as Rule<LedgerCommandKind>;
  return rule(command, view, atMs);
}
