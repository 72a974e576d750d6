import { asked } from '#src/certainty.ts';
import type { FailureCode } from '#src/failure-codes.ts';
import type { RefundInput, RefundOutcome, RefundState } from '#src/refunds.ts';
import { sandboxReturnId } from '#src/sandbox/simulated-rails.ts';
import { sandboxKeys } from '#src/sandbox/payout-plan.ts';

const failure = { code: 'account_closed', message: 'The failure was simulated.' } as const satisfies {
  readonly code: FailureCode;
  readonly message: string;
};

/**
 * A refund of test mode is done at once, unless its reason is one of the addresses that stand for an outcome of a payout:
 * `refuse@sandbox.test` is refused by the call, `fail@sandbox.test` is accepted and found to have failed.
 */
export function sandboxRefundOutcome(refund: RefundInput): RefundOutcome {
  if (refund.reason === sandboxKeys.refuse) return { kind: 'refused', ...failure, raw: { simulated: true } };
  if (refund.reason === sandboxKeys.fail) return { kind: 'accepted', status: 'PROCESSING', providerRef: refund.ref };
  return { kind: 'accepted', ...doneRefund(refund) };
}

/** Depends on the refund alone: asked again after a restart, it answers the same. */
export function sandboxRefundState(refund: RefundInput): RefundState {
  const { ref: providerRef, reason } = refund;
  if (reason === sandboxKeys.refuse) return { status: 'NOT_FOUND' };
  if (reason === sandboxKeys.fail) return asked({ status: 'FAILED', providerRef, ...failure });
  return asked(doneRefund(refund));
}

function doneRefund({ ref, sentAt, money }: RefundInput) {
  return { status: 'DONE', providerRef: ref, returnId: sandboxReturnId(money.currency, ref, sentAt) } as const;
}
