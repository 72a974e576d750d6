import type { PayoutResolution, ReplyOf, RequestOf, resolvePayout as contract } from '@gateway/contracts';
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
 * What has become of a PROCESSING payout, by two operators who say the same. The second one's word is carried out; until
 * then nothing happens, and another outcome takes the place of the one proposed.
 *
 * @throws PayoutStateError for one that is not PROCESSING
 */
export async function resolvePayout(dependencies: Dependencies, request: Request): Promise<ReplyOf<typeof contract>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const before = await findPayoutById(dependencies.payouts, request.id);
    if (before.state !== 'PROCESSING') throw new PayoutStateError(before, 'resolved');
    const proposed = before.resolution ?? null;
    const agrees = proposed?.outcome === request.outcome;
    if (agrees && proposed.proposedBy === request.operator) {
      return { status: 'PROPOSED', before: toOperatorPayout(before), payout: toOperatorPayout(before) };
    }
    const changed = agrees
      ? await apply(dependencies, before, proposed, request)
      : await propose(dependencies, before, request);
    if (!changed) continue;
    const payout = agrees ? await carryOn(dependencies, changed) : changed;
    const status = agrees ? 'APPLIED' : 'PROPOSED';
    return { status, before: toOperatorPayout(before), payout: toOperatorPayout(payout) };
  }
  throw new ChangingError();
}

async function propose(
  { payouts, now }: Dependencies,
  payout: PayoutRow,
  { outcome, operator, evidence }: Request,
): Promise<PayoutRow | null> {
  const proposal = { outcome, proposedBy: operator, evidence, proposedAt: now().toISOString() };
  const resolution: PayoutResolution = { ...proposal, confirmedBy: null, confirmation: null };
  return await payouts.move(payout, 'resolutionProposed', { resolution });
}

async function apply(
  { payouts, now, logger }: Dependencies,
  payout: PayoutRow,
  proposed: PayoutResolution,
  { outcome, operator, evidence }: Request,
): Promise<PayoutRow | null> {
  const at = now();
  const resolution: PayoutResolution = { ...proposed, confirmedBy: operator, confirmation: evidence };
  const changes = { resolution, dueAt: after(at, 2 * ledgerTimeoutMs) };
  logger.warn({ payoutId: payout.id, outcome, proposedBy: proposed.proposedBy, operator }, 'payout resolved by hand');
  if (outcome === 'paid') return await payouts.move(payout, 'confirmed', { ...changes, paidAt: at });
  return await payouts.move(payout, 'failed', { ...changes, reversal: 'FAILED', ...failure });
}
