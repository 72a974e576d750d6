import type { lookUpPayout as contract } from '@gateway/contracts/payouts';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { PayoutStateError, type PayoutState } from '#src/payout/life-cycle.ts';
import { toOperatorPayout } from '#src/payout/present-payout.ts';
import { findPayoutById } from '#src/payout/read-payouts.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeIfAnswered } from '#src/steps/resume-payout.ts';

/** A provider has it or may have it; before, the payout is being sent, and in between its outcome is being booked. */
const askableStates: readonly PayoutState[] = ['PROCESSING', 'PAID', 'FAILED', 'REJECTED'];

/**
 * An operator does not wait for the next lookup. What the provider answers is followed as after a notification; without an
 * answer the payout stays as it is, with its own schedule.
 *
 * @throws NotFoundError, and PayoutStateError for one that no provider can be asked about
 */
export async function lookUpForOperator(
  dependencies: StepsDependencies,
  { id }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const payout = await findPayoutById(dependencies.payouts, id);
  if (!askableStates.includes(payout.state)) throw new PayoutStateError(payout, 'looked up');
  const before = toOperatorPayout(payout);
  const asked = await askOutcome(dependencies, payout, false);
  if (asked && asked !== payout) await resumeIfAnswered(dependencies, asked);
  return { before, payout: toOperatorPayout(await findPayoutById(dependencies.payouts, id)) };
}
