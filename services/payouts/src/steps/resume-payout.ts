import { isKnownToProvider } from '#src/payout/attention.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { findPayoutById } from '#src/payout/read-payouts.ts';
import { creditReturns } from '#src/settlement/credit-returns.ts';
import { redebitPayout, reversePayout, settlePayout } from '#src/settlement/book-outcome.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { recordInterruption } from '#src/steps/enter-processing.ts';
import { lookUpPayout } from '#src/steps/look-up-payout.ts';
import { releaseFunds } from '#src/steps/release-funds.ts';
import { announceCall, sendPayout } from '#src/steps/send-payout.ts';
import { giveUp } from '#src/steps/wait-for-provider.ts';

/**
 * Resumes a payout from the state it was left in, as far as it goes now. The ordinary way to settlement and the way
 * back after a crash are the same: whatever is due is picked up here.
 */
export async function resumePayout(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  let current: PayoutRow | null = payout;
  for (;;) {
    const next = await nextStepOf(dependencies, current);
    if (!next || next.state === current.state) return;
    current = next;
  }
}

/** One step; null when there is nothing more to be done before the next due time. */
async function nextStepOf(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
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
 * in the meantime that an earlier one arrived, or the last of them was refused for good.
 */
async function resume(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  if (payout.callStartedAt || isKnownToProvider(payout)) return await recordInterruption(dependencies, payout);
  if (payout.reversal) return await giveUp(dependencies, payout);
  const announced = await announceCall(dependencies, payout);
  if (announced) await sendPayout(dependencies, announced);
  return null;
}

/** Resumes a payout as far as it goes now; should the ledger not answer, it is resumed when its lease ends. */
export async function resumeIfAnswered(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  try {
    await resumePayout(dependencies, payout);
  } catch (error) {
    dependencies.logger.warn({ err: error, payoutId: payout.id, state: payout.state }, 'payout is resumed later');
  }
}

/** The same for a caller who waits for the outcome. @returns the payout as it is then */
export async function resumeNow(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow> {
  await resumeIfAnswered(dependencies, payout);
  return await findPayoutById(dependencies.payouts, payout.id);
}
