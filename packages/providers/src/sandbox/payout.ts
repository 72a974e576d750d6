import { asked } from '#src/certainty.ts';
import { failureCodes } from '#src/failure-codes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutState } from '#src/payouts.ts';
import { sandboxPaymentId } from '#src/sandbox/simulated-rails.ts';
import { sandboxPayoutPlan } from '#src/sandbox/payout-plan.ts';

/** What the call answers, by the payout's plan. */
export function sandboxPayoutOutcome(payout: PayoutInput): PayoutOutcome {
  const plan = sandboxPayoutPlan(payout);
  if (plan.answer === 'refused') {
    const { code } = plan;
    return { kind: 'refused', code, message: failureCodes[code].meaning, raw: { code } };
  }
  const lookUpAfterMs = plan.settlement === 'hold' ? undefined : plan.settlement.settleAfterMs;
  if (plan.answer === 'unknown') return { kind: 'unknown', cause: 'simulated timeout', lookUpAfterMs };
  return {
    kind: 'accepted',
    status: 'PROCESSING',
    providerRef: payout.ref,
    e2eId: sandboxPaymentId(payout.money.currency, payout.ref, payout.sentAt),
    lookUpAfterMs,
  };
}

/** What has become of a payout by now. One that was refused, or never sent, is not there. */
export function sandboxPayoutState(
  { payout, isSent = true }: Pick<PayoutLookup, 'payout' | 'isSent'>,
  now: Date,
): PayoutState {
  const plan = sandboxPayoutPlan(payout);
  if (!isSent || plan.answer === 'refused') return { status: 'NOT_FOUND' };
  const facts = {
    providerRef: payout.ref,
    e2eId: sandboxPaymentId(payout.money.currency, payout.ref, payout.sentAt),
  };
  const { settlement } = plan;
  if (settlement === 'hold') return { status: 'PROCESSING', ...facts };
  const settledAt = new Date(payout.sentAt.getTime() + settlement.settleAfterMs);
  if (now < settledAt) return { status: 'PROCESSING', ...facts };
  if (settlement.result === 'paid') return asked({ status: 'PAID', ...facts, paidAt: settledAt });
  return asked({ status: 'FAILED', ...facts, code: settlement.code, message: failureCodes[settlement.code].meaning });
}
