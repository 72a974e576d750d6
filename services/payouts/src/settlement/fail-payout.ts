import { failureCodes, type FailureCode } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { after, ledgerTimeoutMs } from '#src/execution/timing.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/**
 * The rail says that it will not pay. A payment that is on record stands: then the provider contradicts itself.
 *
 * @returns the payout with the failure on record, or as it was when it has ended already; null when somebody else is
 *   changing it
 */
export async function failPayout(
  { payouts, now, logger }: Dependencies,
  payout: PayoutRow,
  { code, message }: { readonly code: FailureCode; readonly message: string },
): Promise<PayoutRow | null> {
  const reason = { reversal: 'FAILED', failureReason: code, failureMessage: message } as const;
  const changes = { ...reason, dueAt: after(now(), 2 * ledgerTimeoutMs) };
  switch (payout.state) {
    case 'SENDING':
      return await payouts.move(payout, 'failedEarly', { ...changes, callStartedAt: null });
    case 'PROCESSING':
      if (failureCodes[code].operatorAlarm) logger.error({ payoutId: payout.id, code, message }, 'payout failed');
      return await payouts.move(payout, 'failed', changes);
    case 'SETTLING':
    case 'REDEBITING':
    case 'PAID':
      logger.error({ payoutId: payout.id, code, message }, 'provider reports a paid payout as failed');
      return payout;
    case 'REVERSING':
    case 'FAILED':
    case 'REJECTED':
      return payout;
    case 'RESERVING':
    case 'RELEASING':
    case 'PENDING':
      throw new Error(`payout ${payout.id} is ${payout.state} and failed: nobody sent it`);
  }
}
