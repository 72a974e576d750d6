import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { PayoutResolution } from '@gateway/contracts/payouts';
import type * as contract from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { byPeople } from '@gateway/providers';
import { ChangingError } from '#src/errors.ts';
import { noAttention, waitsForProvider } from '#src/payout/attention.ts';
import { PayoutStateError, publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toOperatorPayout } from '#src/payout/present-payout.ts';
import { findPayoutById } from '#src/payout/read-payouts.ts';
import { confirmPayout, failPayout } from '#src/settlement/record-outcome.ts';
import { returnedAmount } from '#src/settlement/credit-returns.ts';
import { after, settlementLeaseMs } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeNow } from '#src/steps/resume-payout.ts';

type Request = RequestOf<typeof contract.resolvePayout>;

/** Lookups and operators change a payout at the same time; a decision is worth a few attempts. */
const attemptsMax = 5;

const failure = {
  code: 'settlement_failed',
  message: 'The provider confirmed that the payout was not paid.',
} as const;

/**
 * Applies what two operators decide about a PROCESSING payout, or of one that has ended and needs them. Asked
 * again under the same approval, it answers with the payout as it is: the caller cannot always know whether the first
 * question arrived.
 *
 * @throws PayoutStateError for any other, and for one that is no longer what it was when that was proposed: `failed` means of a
 *   payout under way that it was not paid, of a paid one that it came back; and it may have been sent again since
 * @throws ChangingError for one whose call is under way, or whose end is being written: a moment later it can be resolved
 * @throws DomainError SECOND_PERSON_REQUIRED when both operators are the same
 */
export async function resolvePayout(
  dependencies: StepsDependencies,
  request: Request,
): Promise<ReplyOf<typeof contract.resolvePayout>> {
  const { proposal } = request;
  if (!proposal || proposal.operator === request.operator) {
    throw new DomainError('SECOND_PERSON_REQUIRED', 'a payout is resolved by two operators');
  }
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const before = await findPayoutById(dependencies.payouts, request.id);
    if (before.resolution?.approvalId === proposal.approvalId) return resolved(before, before);
    if (isBetweenStates(before) && !waitsForProvider(before)) throw new ChangingError();
    const isAsProposed = proposal.status === undefined || proposal.status === publicStatus(before.state);
    const isOutdated = request.outcome === 'failed' && wasCalledAfter(before, proposal);
    if (!isOpenToPeople(before) || !isAsProposed || isOutdated) throw new PayoutStateError(before, 'resolved');
    const changed = await apply(dependencies, before, request, proposal);
    if (changed) return resolved(before, await resumeNow(dependencies, changed));
  }
  throw new ChangingError();
}

function resolved(before: PayoutRow, payout: PayoutRow): ReplyOf<typeof contract.resolvePayout> {
  return { status: 'APPLIED', before: toOperatorPayout(before), payout: toOperatorPayout(payout) };
}

/** Merchants see it as PROCESSING, and it is about to be, or to end. */
function isBetweenStates({ state }: PayoutRow): boolean {
  return state !== 'PROCESSING' && publicStatus(state) === 'PROCESSING';
}

/** What the first operator saw was before that call, so a decision for "failed" could lose its money. */
function wasCalledAfter({ calledAt }: PayoutRow, { at }: NonNullable<Request['proposal']>): boolean {
  return calledAt ? calledAt.getTime() >= Date.parse(at) : false;
}

/** Only operators can find out what has become of it; of those that have ended, they are asked about some. */
function isOpenToPeople({ state, attentionAt }: PayoutRow): boolean {
  const hasEnded = state === 'PAID' || state === 'FAILED' || state === 'REJECTED';
  return state === 'PROCESSING' || (hasEnded && attentionAt !== null);
}

async function apply(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  { outcome, operator, evidence: confirmation }: Request,
  { approvalId, operator: proposedBy, evidence, at: proposedAt }: NonNullable<Request['proposal']>,
): Promise<PayoutRow | null> {
  const { logger, now } = dependencies;
  const resolution: PayoutResolution = {
    approvalId,
    outcome,
    proposedBy,
    evidence,
    proposedAt,
    confirmedBy: operator,
    confirmation,
  };
  const people = { proposedBy, approvedBy: operator };
  logger.warn({ payoutId: payout.id, state: payout.state, outcome, ...people }, 'payout resolved by hand');
  if (payout.state === 'PAID') return await settlePaid(dependencies, payout, resolution);
  const answered = { resolution, ...noAttention(payout), unconfirmed: null };
  if (outcome === 'paid') {
    return await confirmPayout(dependencies, payout, byPeople({ e2eId: null, paidAt: now() }, people), answered);
  }
  if (payout.state !== 'PROCESSING') return await dependencies.payouts.amend(payout, answered);
  return await failPayout(dependencies, payout, byPeople(failure, people), answered);
}

/** Of a PAID payout two operators decide that it stands as it is, or that the rest came back: then that is credited. */
async function settlePaid(
  { payouts, now }: StepsDependencies,
  payout: PayoutRow,
  resolution: PayoutResolution,
): Promise<PayoutRow | null> {
  const at = now();
  const answered = { resolution, ...noAttention(payout), unconfirmed: null };
  const amount = payout.amount - returnedAmount(payout);
  const { approvalId, outcome } = resolution;
  if (outcome === 'paid' || amount === 0 || approvalId === null) return await payouts.amend(payout, answered);
  const part = {
    id: newId('payoutReturn', at.getTime()),
    returnId: approvalId,
    approvalId,
    amount,
    returnedAt: at.toISOString(),
    credited: false,
  };
  const returns = [...payout.returns, part];
  return await payouts.move(payout, 'returnNoticed', { ...answered, returns, dueAt: after(at, settlementLeaseMs) });
}
