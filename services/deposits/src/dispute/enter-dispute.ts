import type { enterDispute as contract } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { requireRailCurrency } from '@gateway/money';
import { byPeople, type DisputeFact } from '@gateway/providers';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import {
  contestedPayment,
  type ContestedPayment,
  onRecord,
  requireContestable,
  requireEnterable,
} from '#src/dispute/contested-payment.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { resumeDispute } from '#src/dispute/resume-dispute.ts';
import { shownToOperators } from '#src/dispute/to-dispute.ts';

type Request = RequestOf<typeof contract>;
type OpeningFact = DisputeFact & { readonly type: 'dispute.opened' };

const ledgerTimeoutMs = 5_000;

/**
 * Opens a dispute that two operators know of by a letter, as one that its provider reports: the same intake blocks the money,
 * once for the provider's reference. Asked again under the same approval it goes on where it stopped.
 *
 * @throws DomainError SECOND_PERSON_REQUIRED when both are one person; as `contestedPayment` and `requireEnterable`;
 *   SERVICE_UNAVAILABLE while the ledger does not answer: the dispute is on record then, and is gone on with
 */
export async function enterDispute(
  dependencies: DisputeDependencies,
  request: Request,
): Promise<ReplyOf<typeof contract>> {
  const { database } = dependencies;
  const { proposedBy, approvedBy } = request;
  if (proposedBy === approvedBy)
    throw new DomainError('SECOND_PERSON_REQUIRED', 'a dispute is entered by two operators');
  const contested = await contestedPayment(database.reader(), request);
  const before = await enteredBefore(dependencies, request, contested);
  const dispute = before
    ? await resumeDispute(dependencies, before, ledgerTimeoutMs)
    : await open(dependencies, request, contested);
  return { dispute: await shownToOperators(database.reader(), dispute) };
}

/** By an attempt before this one. */
async function enteredBefore(
  { database }: DisputeDependencies,
  { environment, disputeRef, approvalId }: Request,
  { provider, e2eId }: ContestedPayment,
): Promise<DisputeRow | undefined> {
  const rounds = await database.reader().find(DisputeEntity, { environment, provider, disputeRef, e2eId });
  return rounds.find(({ entry }) => entry?.approvalId === approvalId);
}

/** Of what was checked before, what may have changed by now is checked once more, with the deposit locked. */
async function open(
  dependencies: DisputeDependencies,
  request: Request,
  contested: ContestedPayment,
): Promise<DisputeRow> {
  try {
    await requireEnterable(dependencies, request, contested);
  } catch (error) {
    // Another attempt under the same approval was faster.
    const entered = await enteredBefore(dependencies, request, contested);
    if (!entered) throw error;
    return await resumeDispute(dependencies, entered, ledgerTimeoutMs);
  }
  const { environment, evidence, approvalId, proposedBy, approvedBy, openedAt } = request;
  const { provider, e2eId, amount } = contested;
  const fact = byPeople(factOf(request, contested), { proposedBy, approvedBy });
  const enteredAt = dependencies.now().toISOString();
  const row = await applyDisputeEvent(dependencies, { environment, provider }, fact, ledgerTimeoutMs, {
    before: (tx, deposit) => requireContestable(tx.em, { deposit, e2eId, amount }, request.amount),
    entry: { evidence, approvalId, proposedBy, approvedBy, openedAt, enteredAt },
  });
  // Its provider, or another approval, was faster.
  if (row.entry?.approvalId !== approvalId) throw onRecord(row);
  return row;
}

function factOf(request: Request, { deposit, e2eId }: ContestedPayment): OpeningFact {
  const { approvalId, amount, disputeRef, openedAt, dueAt, reason } = request;
  return {
    type: 'dispute.opened',
    ...{ dedupeKey: approvalId, at: new Date(openedAt), raw: null, disputeRef, e2eId },
    money: { currency: requireRailCurrency(deposit.currency), amount },
    ...(dueAt === null ? {} : { dueAt: new Date(dueAt) }),
    ...(reason === null ? {} : { reason }),
  };
}
