import type { RailMoney } from '@gateway/money';
import { asked, type Asked } from '#src/certainty.ts';
import type { ChargePayer } from '#src/charges.ts';
import type { DisputeFact } from '#src/disputes.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { PayoutFailed } from '#src/payouts.ts';
import { sandboxPayer, sandboxPaymentId, sandboxReturnId } from '#src/sandbox/simulated-rails.ts';

type EventOf<Type extends ProviderEvent['type']> = Extract<ProviderEvent, { type: Type }>;

/**
 * The event a provider would send for a payment that test mode makes by itself. The payer is the one the charge names, as
 * far as it does, at a bank that does not exist. The ids depend on reference and time alone: a retry repeats itself.
 */
export function simulateChargePaid(payment: {
  readonly ref: string;
  readonly money: RailMoney;
  readonly paidAt: Date;
  readonly payer?: ChargePayer;
  /** Which of several transfers on one charge it is, from 0; SPEI only. */
  readonly sequence?: number;
}): EventOf<'charge.paid'> {
  const { ref, money, paidAt, sequence = 0 } = payment;
  return {
    type: 'charge.paid',
    dedupeKey: `sandbox:charge.paid:${ref}${sequence === 0 ? '' : `:${sequence}`}`,
    at: paidAt,
    ref,
    e2eId: sandboxPaymentId(money.currency, ref, paidAt, sequence),
    money,
    payer: sandboxPayer(money.currency, payment.payer),
    raw: { simulated: true },
  };
}

/** What a provider would answer of a payout that test mode pays. */
export function simulatePayoutPaid(payment: {
  readonly e2eId: string | null;
  readonly paidAt: Date;
}): Asked<typeof payment> {
  return asked(payment);
}

/** What a provider would answer of a payout that test mode lets fail. */
export function simulatePayoutFailed(): Asked<Pick<PayoutFailed, 'code' | 'message'>> {
  return asked({ code: 'settlement_failed', message: 'The failure was simulated.' });
}

/** What a provider would answer when the receiver's bank sends a payout back, whole or in part. */
export function simulatePayoutReturned(payout: {
  readonly ref: string;
  readonly money: RailMoney;
  readonly at: Date;
}): Asked<EventOf<'payout.returned'>> {
  const { ref, money, at } = payout;
  return asked({
    type: 'payout.returned',
    dedupeKey: `sandbox:payout.returned:${ref}`,
    at,
    ref,
    money,
    returnId: sandboxReturnId(money.currency, ref, at),
    reason: 'simulated return',
    raw: { simulated: true },
  });
}

/** Days the receiver has to answer a dispute: the analysis period of MED. */
const disputeAnswerDays = 7;

/** The event a provider would send when a payer contests a payment (MED). */
export function simulateDisputeOpened(dispute: {
  readonly disputeRef: string;
  readonly e2eId: string;
  readonly money: RailMoney;
  readonly at: Date;
}): Asked<DisputeFact> {
  const { disputeRef, e2eId, money, at } = dispute;
  return asked<DisputeFact>({
    type: 'dispute.opened',
    dedupeKey: `sandbox:dispute.opened:${disputeRef}`,
    at,
    disputeRef,
    e2eId,
    money,
    reason: 'FRAUD',
    dueAt: new Date(at.getTime() + disputeAnswerDays * 86_400_000),
    raw: { simulated: true },
  });
}

/** The event a provider would send when a dispute ends. `won` is the merchant's view: the money stays. */
export function simulateDisputeResolved(dispute: {
  readonly disputeRef: string;
  readonly e2eId: string;
  /** `lost`: what goes back; `won`: what was contested. */
  readonly money: RailMoney;
  readonly result: 'won' | 'lost';
  readonly at: Date;
}): Asked<DisputeFact> {
  const { disputeRef, e2eId, money, result, at } = dispute;
  return asked<DisputeFact>({
    type: `dispute.${result}`,
    dedupeKey: `sandbox:dispute.${result}:${disputeRef}`,
    at,
    disputeRef,
    e2eId,
    money,
    returnId: result === 'lost' ? sandboxReturnId(money.currency, disputeRef, at) : undefined,
    raw: { simulated: true },
  });
}
