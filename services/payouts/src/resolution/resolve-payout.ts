import {
  DomainError,
  type PayoutResolution,
  type ReplyOf,
  type RequestOf,
  type resolvePayout as contract,
} from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { ChangingError, PayoutStateError } from '#src/errors.ts';
import { after, ledgerTimeoutMs } from '#src/execution/timing.ts';
import { findPayoutById } from '#src/payout/find-payout.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toOperatorPayout } from '#src/payout/to-operator-payout.ts';
import { carryOn } from '#src/settlement/carry-on.ts';

type Request = RequestOf<typeof contract>;

/** Lookups and operators change a payout at the same time; a decision is worth a few attempts. */
const attemptsMax = 5;

const failure = {
  failureReason: 'settlement_failed',
  failureMessage: 'The provider confirmed that the payout was not paid.',
} as const;

/**
 * Carries out what two operators say has become of a PROCESSING payout. Asked again under the same approval, it answers
 * with the payout as it is: whoever asks cannot always know whether the first question arrived.
 *
 * @throws PayoutStateError for one that is not PROCESSING
 * @throws DomainError SECOND_PERSON_REQUIRED when both operators are the same
 */
export async function resolvePayout(dependencies: Dependencies, request: Request): Promise<ReplyOf<typeof contract>> {
  const { proposal } = request;
  if (!proposal || proposal.operator === request.operator) {
    throw new DomainError('SECOND_PERSON_REQUIRED', 'a payout is resolved by two operators');
  }
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const before = await findPayoutById(dependencies.payouts, request.id);
    if (before.resolution?.approvalId === proposal.approvalId) return resolved(before, before);
    if (before.state !== 'PROCESSING') throw new PayoutStateError(before, 'resolved');
    const changed = await apply(dependencies, before, request, proposal);
    if (changed) return resolved(before, await carryOn(dependencies, changed));
  }
  throw new ChangingError();
}

function resolved(before: PayoutRow, payout: PayoutRow): ReplyOf<typeof contract> {
  return { status: 'APPLIED', before: toOperatorPayout(before), payout: toOperatorPayout(payout) };
}

async function apply(
  { payouts, now, logger }: Dependencies,
  payout: PayoutRow,
  { outcome, operator, evidence: confirmation }: Request,
  { approvalId, operator: proposedBy, evidence, at: proposedAt }: NonNullable<Request['proposal']>,
): Promise<PayoutRow | null> {
  const at = now();
  const resolution: PayoutResolution = {
    ...{ approvalId, outcome, proposedBy, evidence, proposedAt },
    ...{ confirmedBy: operator, confirmation },
  };
  const changes = { resolution, dueAt: after(at, 2 * ledgerTimeoutMs) };
  logger.warn({ payoutId: payout.id, outcome, proposedBy, operator }, 'payout resolved by hand');
  if (outcome === 'paid') return await payouts.move(payout, 'confirmed', { ...changes, paidAt: at });
  return await payouts.move(payout, 'failed', { ...changes, reversal: 'FAILED', ...failure });
}
