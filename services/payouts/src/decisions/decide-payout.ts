import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import { waitsForProvider } from '#src/payout/attention.ts';
import type { ReasonOfPeople } from '#src/payout/failure-reasons.ts';
import { PayoutStateError } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toOperatorPayout, toPayout } from '#src/payout/present-payout.ts';
import { findPayout, findPayoutById } from '#src/payout/read-payouts.ts';
import { reverseIfAnswered } from '#src/settlement/book-outcome.ts';
import { after, settlementLeaseMs } from '#src/settlement/timing.ts';
import { askIfForgotten, isOlderThanMemory } from '#src/steps/ask-elsewhere.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { findSent, followSent } from '#src/steps/found-sent.ts';

/**
 * Releases a payout for sending, which follows at once. Of approval, refusal and cancellation at the same time, one wins.
 *
 * @throws PayoutStateError for one that is not PENDING (any more)
 */
export async function approvePayout(
  { payouts, now }: StepsDependencies,
  { id, operator, approvalId }: RequestOf<typeof contract.approvePayout>,
): Promise<ReplyOf<typeof contract.approvePayout>> {
  const pending = await findPayoutById(payouts, id);
  if (approvalId !== undefined && wasApprovedBy(pending, operator)) {
    return { before: toOperatorPayout(pending), payout: toOperatorPayout(pending) };
  }
  if (pending.state !== 'PENDING') throw new PayoutStateError(pending, 'approved');
  const at = now();
  const approved = await payouts.move(pending, 'approved', { decidedBy: operator, sentAt: at, dueAt: at });
  if (!approved) throw new PayoutStateError(await findPayoutById(payouts, id), 'approved');
  return { before: toOperatorPayout(pending), payout: toOperatorPayout(approved) };
}

/** Who refuses a payout is kept in the same place, with what became of it. */
function wasApprovedBy({ state, decidedBy, failureReason }: PayoutRow, operator: string): boolean {
  return state !== 'PENDING' && decidedBy === operator && failureReason !== 'refused_by_operator';
}

/**
 * An operator refuses it: one that waits for approval, or for a provider that takes it.
 *
 * @throws PayoutStateError for any other
 */
export async function refusePayout(
  dependencies: StepsDependencies,
  { id, operator, reason = null }: RequestOf<typeof contract.refusePayout>,
): Promise<ReplyOf<typeof contract.refusePayout>> {
  const pending = await findPayoutById(dependencies.payouts, id);
  const decision = { decidedBy: operator, decisionReason: reason };
  const refused = await reject(dependencies, pending, { reason: 'refused_by_operator', ...decision });
  return { before: toOperatorPayout(pending), payout: toOperatorPayout(refused) };
}

/** Its merchant cancels it. @throws PayoutStateError for one that is not PENDING (any more) */
export async function cancelPayout(
  dependencies: StepsDependencies,
  request: RequestOf<typeof contract.cancelPayout>,
): Promise<ReplyOf<typeof contract.cancelPayout>> {
  const pending = await findPayout(dependencies.payouts, request);
  if (pending.state !== 'PENDING') throw new PayoutStateError(pending, 'canceled');
  const canceled = await reject(dependencies, pending, {
    reason: 'canceled_by_merchant',
    decidedBy: null,
    decisionReason: null,
  });
  return { payout: toPayout(canceled) };
}

interface Refusal extends Pick<PayoutRow, 'decidedBy' | 'decisionReason'> {
  readonly reason: ReasonOfPeople;
}

/**
 * Ends a payout that has not been sent: REJECTED once amount and fee are back. Should the ledger not answer now, that is a
 * little later. Of this and a call of a provider at the same time, one wins.
 *
 * @throws PayoutStateError for one that may have been sent, or has ended; DomainError as `requireNowhere`
 */
async function reject(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  { reason, ...decision }: Refusal,
): Promise<PayoutRow> {
  const { payouts, now } = dependencies;
  if (payout.state !== 'PENDING' && !waitsForProvider(payout)) throw new PayoutStateError(payout, 'canceled');
  const isForgotten = payout.state === 'PENDING' && (await isOlderThanMemory(dependencies, payout));
  if (isForgotten) await requireUnsent(dependencies, payout);
  if (payout.state === 'SENDING') await requireNowhere(dependencies, payout);
  const ended = await payouts.move(payout, payout.state === 'PENDING' ? 'rejected' : 'withdrawn', {
    reversal: 'REJECTED',
    failureReason: reason,
    ...decision,
    dueAt: after(now(), settlementLeaseMs),
    // It is asked about on when it has ended, as one that was sent.
    ...(isForgotten && payout.environment === 'live' ? { recheckAt: after(now(), settlementLeaseMs) } : {}),
  });
  if (!ended) throw new PayoutStateError(await findPayoutById(payouts, payout.id), 'canceled');
  return (await reverseIfAnswered(dependencies, ended)) ?? (await findPayoutById(payouts, payout.id));
}

/**
 * What waits may have been given to another provider in what a restored database has forgotten: then it has not ended.
 *
 * @throws DomainError SERVICE_UNAVAILABLE while one of them does not answer, INVALID_STATE where one has it
 */
async function requireNowhere(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  const { kind } = await askIfForgotten(dependencies, payout);
  if (kind === 'nowhere') return;
  if (kind === 'found') throw new PayoutStateError(payout, 'canceled: another provider has it');
  throw unanswered();
}

/**
 * What waits for an approval may have been approved and sent in what a restored database has forgotten, by whichever provider
 * was drawn then: each is asked. What one of them has goes on as a payout that was sent.
 *
 * @throws DomainError as `requireNowhere`
 */
async function requireUnsent(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  const found = await findSent(dependencies, payout);
  if (found.kind === 'unanswered') throw unanswered();
  if (found.kind === 'nowhere') return;
  const { provider, status } = found;
  dependencies.logger.error(
    { payoutId: payout.id, provider, status },
    'a provider has a payout that waits for an approval',
  );
  await followSent(dependencies, payout, 'foundUnapproved', provider);
  throw new PayoutStateError(payout, 'canceled: a provider has it');
}

function unanswered(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'a provider that may have the payout does not answer whether it does', {
    retryAfterSec: 5,
  });
}
