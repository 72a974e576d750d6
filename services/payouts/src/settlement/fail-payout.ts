import { type Asked, failureCodes, type PayoutFailed } from '@gateway/providers';
import { needAttention } from '#src/payout/attention.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { processingEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import { leaseUntil, settlementLeaseMs } from '#src/settlement/timing.ts';

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
  const reason = { reversal: 'FAILED', failureReason: code, failureMessage: message } as const;
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
