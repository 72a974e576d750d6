import type { Dependencies } from '#src/dependencies.ts';
import { announceCall, recordUnknown, sendPayout } from '#src/execution/send-payout.ts';
import { isKnownToProvider } from '#src/payout/known-to-provider.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { releaseFunds } from '#src/reservation/release-funds.ts';
import { creditReturns } from '#src/settlement/credit-returns.ts';
import { lookUpPayout } from '#src/settlement/look-up-payout.ts';
import { redebitPayout } from '#src/settlement/redebit-payout.ts';
import { reversePayout } from '#src/settlement/reverse-payout.ts';
import { settlePayout } from '#src/settlement/settle-payout.ts';

/**
 * Carries a payout on from the state it was left in, as far as it goes now. The ordinary way to settlement and the way
 * back after a crash are the same: whatever is due is picked up here.
 */
export async function advancePayout(dependencies: Dependencies, payout: PayoutRow): Promise<void> {
  let current: PayoutRow | null = payout;
  for (;;) {
    const next = await takeStep(dependencies, current);
    if (!next || next.state === current.state) return;
    current = next;
  }
}

/** One step; null when there is nothing more to be done before the next due time. */
async function takeStep(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  switch (payout.state) {
    case 'RESERVING':
    case 'RELEASING':
      await releaseFunds(dependencies, payout);
      return null;
    case 'SENDING':
      return await resume(dependencies, payout);
    case 'PROCESSING':
      return await lookUpPayout(dependencies, payout);
    case 'SETTLING':
      return await settlePayout(dependencies, payout);
    case 'REVERSING':
      return await reversePayout(dependencies, payout);
    case 'REDEBITING':
      return await redebitPayout(dependencies, payout);
    case 'PAID':
      return await creditReturns(dependencies, payout);
    case 'PENDING':
    case 'FAILED':
    case 'REJECTED':
      return null;
  }
}

/**
 * A call without an outcome may have been made; otherwise none was, and it is time for one, unless the provider has shown
 * meanwhile that an earlier one arrived.
 */
async function resume(dependencies: Dependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.callStartedAt || isKnownToProvider(payout)) return await recordUnknown(dependencies, payout, 0);
  const announced = await announceCall(dependencies, payout);
  if (announced) await sendPayout(dependencies, announced);
  return null;
}
