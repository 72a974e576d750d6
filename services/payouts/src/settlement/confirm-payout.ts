import type { Dependencies } from '#src/dependencies.ts';
import { after, ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

export interface Payment {
  readonly e2eId: string | null;
  readonly paidAt: Date;
}

/**
 * The rail says that it paid. After FAILED or REJECTED that is not hidden: the balance pays again (DESIGN 6), and operators
 * are told.
 *
 * @returns the payout with the payment on record, or as it was when it is known already; null when it cannot be recorded
 *   now: somebody else is changing it
 */
export async function confirmPayout(
  { payouts, now, logger }: Dependencies,
  payout: PayoutRow,
  { e2eId, paidAt }: Payment,
): Promise<PayoutRow | null> {
  const changes = { e2eId: e2eId ?? payout.e2eId, paidAt, dueAt: after(now(), 2 * ledgerTimeoutMs) };
  switch (payout.state) {
    case 'SENDING':
      return await payouts.move(payout, 'confirmedEarly', { ...changes, callStartedAt: null });
    case 'PROCESSING':
      return await payouts.move(payout, 'confirmed', changes);
    case 'FAILED':
      logger.error({ payoutId: payout.id }, 'payout was paid after it had failed');
      return await payouts.move(payout, 'confirmedLate', changes);
    case 'SETTLING':
    case 'REDEBITING':
    case 'PAID':
      return payout;
    case 'REVERSING':
      return null;
    case 'REJECTED':
      if (!payout.sentAt) break;
      logger.error({ payoutId: payout.id }, 'payout was paid after the provider had refused it');
      return await payouts.move(payout, 'confirmedAfterRefusal', changes);
    case 'RESERVING':
    case 'RELEASING':
    case 'PENDING':
      break;
  }
  throw new Error(`payout ${payout.id} is ${payout.state} and was paid: nobody sent it`);
}
