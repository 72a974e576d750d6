import type { LedgerCommand, LedgerCommandKind } from '@gateway/contracts/ledger';
import { adjust } from '#src/posting/rules/adjust.ts';
import { blockDispute } from '#src/posting/rules/block-dispute.ts';
import { convert } from '#src/posting/rules/convert.ts';
import { creditDeposit } from '#src/posting/rules/credit-deposit.ts';
import { debitPayout } from '#src/posting/rules/debit-payout.ts';
import { extendDispute } from '#src/posting/rules/extend-dispute.ts';
import { holdReceipt } from '#src/posting/rules/hold-receipt.ts';
import { lapseDispute } from '#src/posting/rules/lapse-dispute.ts';
import { overturnDispute } from '#src/posting/rules/overturn-dispute.ts';
import { redebitPayout } from '#src/posting/rules/redebit-payout.ts';
import { redebitRefund } from '#src/posting/rules/redebit-refund.ts';
import { refundDeposit } from '#src/posting/rules/refund-deposit.ts';
import { releaseDispute } from '#src/posting/rules/release-dispute.ts';
import { releasePending } from '#src/posting/rules/release-pending.ts';
import { returnDispute } from '#src/posting/rules/return-dispute.ts';
import { returnPayout } from '#src/posting/rules/return-payout.ts';
import { returnReceipt } from '#src/posting/rules/return-receipt.ts';
import { reversePayout } from '#src/posting/rules/reverse-payout.ts';
import { reverseRefund } from '#src/posting/rules/reverse-refund.ts';
import { settlePayout } from '#src/posting/rules/settle-payout.ts';
import type { LedgerView, Rule, RuleResult } from '#src/posting/rule.ts';

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
  adjust,
};

export function evaluate(command: LedgerCommand, view: LedgerView, atMs: number): RuleResult {
  const rule = rules[command.kind] as Rule<LedgerCommandKind>;
  return rule(command, view, atMs);
}
