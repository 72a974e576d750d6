import { providerText } from '@gateway/provider-feeds';
import { type Asked, failureCodes, type PayoutFailed, type PayoutPaid } from '@gateway/providers';
import { needAttention } from '#src/payout/attention.ts';
import { noRefusal } from '#src/payout/failure-reasons.ts';
import { paidAfterTheEnd } from '#src/payout/observe-payouts.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { processingEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { withoutOutcome } from '#src/settlement/plan-recheck.ts';
import { leaseUntil, settlementLeaseMs } from '#src/settlement/timing.ts';

/**
 * A payment of the whole amount under our own reference: the answer to our own question, or what two operators found. What
 * a notification says is never one; it does not compile.
 */
export type Payment = Asked<Pick<PayoutPaid, 'paidAt'> & Pick<PayoutRow, 'e2eId'> & { readonly providerRef?: string }>;

/**
 * The rail paid. After FAILED or REJECTED the balance is debited again (design.md 6), and operators are alerted.
 *
 * @param also what is to be on record with it
 * @returns the payout with the payment on record, or as it was when it is known already; null when it cannot be recorded
 *   now: another process is changing it
 */
export async function confirmPayout(
  { payouts, now, logger }: SettlementDependencies,
  payout: PayoutRow,
  { e2eId, paidAt, providerRef = payout.providerRef ?? undefined }: Payment,
  also: PayoutChanges = {},
): Promise<PayoutRow | null> {
  const at = now();
  const dueAt = leaseUntil(payout, at, settlementLeaseMs);
  const reported = { providerRef: providerRef ?? null, e2eId: e2eId ?? payout.e2eId, paidAt, dueAt };
  const changes = { ...also, ...paidByItsOwn(payout), ...reported };
  // A restored database may have forgotten who sent it, and when.
  const late = { ...changes, provider: payout.provider, sentAt: payout.sentAt ?? payout.createdAt, recheckAt: null };
  switch (payout.state) {
    case 'SENDING':
      // Its answer was lost, or is still on its way: that it was PROCESSING is published all the same.
      return await payouts.move(
        payout,
        'confirmedEarly',
        { ...changes, callStartedAt: null, processingAt: payout.processingAt ?? at },
        processingEvent(payout, at),
      );
    case 'PROCESSING':
      return await payouts.move(payout, 'confirmed', { ...changes, ...noRefusal });
    case 'PENDING':
      logger.error({ payoutId: payout.id }, 'payout was paid although nobody is known to have approved it');
      return await payouts.move(payout, 'paidUnapproved', late);
    case 'FAILED':
    case 'REJECTED':
      logger.error({ payoutId: payout.id, state: payout.state }, 'payout was paid after it had been given back');
      paidAfterTheEnd.add(1, { environment: payout.environment });
      return await payouts.move(payout, payout.state === 'FAILED' ? 'confirmedLate' : 'confirmedAfterRefusal', {
        ...late,
        rechecks: 0,
        unconfirmed: withoutOutcome(payout.unconfirmed),
      });
    case 'SETTLING':
    case 'REDEBITING':
    case 'PAID':
      return payout;
    case 'REVERSING':
    case 'RESERVING':
    case 'RELEASING':
      return null;
  }
}

/** What its own provider has paid is no second payment. */
function paidByItsOwn({ provider, alsoPaidBy }: PayoutRow): PayoutChanges {
  return alsoPaidBy.includes(provider) ? { alsoPaidBy: alsoPaidBy.filter((each) => each !== provider) } : {};
}

/** A failure under our own reference, as `Payment` is: asked for, or found by two operators. */
export type Failure = Asked<Pick<PayoutFailed, 'code' | 'message'> & { readonly providerRef?: string }>;

/**
 * The rail will not pay. A payment that is on record stands: then the provider contradicts itself, nothing is posted by it,
 * and operators are alerted; should money have come back, that is asked for at once.
 *
 * @param also what is to be on record with it
 * @returns the payout with the failure on record, or as it was when it has ended already; null when it cannot be recorded
 *   now: another process is changing it
 */
export async function failPayout(
  { payouts, now, logger }: SettlementDependencies,
  payout: PayoutRow,
  { code, message, providerRef = payout.providerRef ?? undefined }: Failure,
  also: PayoutChanges = {},
): Promise<PayoutRow | null> {
  const providerMessage = providerText(message);
  const reason = { reversal: 'FAILED', failureReason: code, providerMessage } as const;
  const at = now();
  const dueAt = leaseUntil(payout, at, settlementLeaseMs);
  const changes = { ...also, ...reason, providerRef: providerRef ?? null, dueAt };
  switch (payout.state) {
    case 'SENDING':
      return await payouts.move(
        payout,
        'failedEarly',
        { ...changes, callStartedAt: null, processingAt: payout.processingAt ?? at },
        processingEvent(payout, at),
      );
    case 'PROCESSING':
      if (failureCodes[code].operatorAlarm) logger.error({ payoutId: payout.id, code, message }, 'payout failed');
      return await payouts.move(payout, 'failed', changes);
    case 'PAID':
      logger.error({ payoutId: payout.id, code, message }, 'provider says that a paid payout has failed');
      return await payouts.amend(payout, { ...needAttention(payout, 'contradiction', now()), recheckAt: now() });
    case 'PENDING':
    case 'REVERSING':
    case 'FAILED':
    case 'REJECTED':
      return payout;
    case 'SETTLING':
    case 'REDEBITING':
    case 'RESERVING':
    case 'RELEASING':
      return null;
  }
}
