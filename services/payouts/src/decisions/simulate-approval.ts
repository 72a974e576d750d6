import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import { PayoutStateError } from '#src/payout/life-cycle.ts';
import { toPayout } from '#src/payout/present-payout.ts';
import { findPayout } from '#src/payout/read-payouts.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeNow } from '#src/steps/resume-payout.ts';

/**
 * Approves a payout of test mode, which is sent at once. Of this and a cancellation at the same time, one wins. One that was
 * approved before is answered as it is.
 *
 * @throws PayoutStateError for one that was canceled or refused
 */
export async function simulateApproval(
  dependencies: StepsDependencies,
  request: RequestOf<typeof contract.simulatePayoutApproval>,
): Promise<ReplyOf<typeof contract.simulatePayoutApproval>> {
  const payout = await findPayout(dependencies.payouts, request);
  if (payout.state === 'PENDING') {
    const at = dependencies.now();
    const approved = await dependencies.payouts.move(payout, 'approved', { sentAt: at, dueAt: at });
    if (approved) return { payout: toPayout(await resumeNow(dependencies, approved)) };
  }
  const current = await findPayout(dependencies.payouts, request);
  const isEnded = current.state === 'REJECTED' || current.reversal === 'REJECTED';
  if (current.state === 'PENDING' || isEnded) throw new PayoutStateError(current, 'approved');
  return { payout: toPayout(current) };
}
