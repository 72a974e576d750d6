import type { DisputeResolution, resolveDispute as contract } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { requireRailCurrency } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { byPeople, type DisputeFact } from '@gateway/providers';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import {
  DisputeEntity,
  type DisputeRow,
  EvidenceEntity,
  type RecordedResolution,
} from '#src/dispute/dispute-entity.ts';
import { findDisputeById, lockDispute } from '#src/dispute/dispute-record.ts';
import { outcomesOf, shownToOperators } from '#src/dispute/to-dispute.ts';
import { InvalidDisputeStateError } from '#src/errors.ts';

type Request = RequestOf<typeof contract>;

const ledgerTimeoutMs = 5_000;

/**
 * Ends the contradiction of a dispute as two operators have found out: its record stands, or it was decided otherwise,
 * which is carried out as a decision of the provider is. So is the decision of one that operators entered by hand. What they stated is on record before anything is booked, and
 * carried out again under the same approval it goes on where it stopped.
 *
 * @throws DomainError SECOND_PERSON_REQUIRED when both are one person
 * @throws InvalidDisputeStateError when its provider does not contradict itself and it was not entered by hand, when it has done
 *   so once more since that was proposed, or when the books cannot follow
 * @throws DomainError SERVICE_UNAVAILABLE while the ledger does not answer, or carries out an earlier decision
 */
export async function resolveDispute(
  dependencies: DisputeDependencies,
  request: Request,
): Promise<ReplyOf<typeof contract>> {
  const { database } = dependencies;
  const { proposedBy, approvedBy } = request;
  if (proposedBy === approvedBy)
    throw new DomainError('SECOND_PERSON_REQUIRED', 'a dispute is resolved by two operators');
  const found = await findDisputeById(database, request.id);
  const before = await shownToOperators(database.reader(), found);
  const resolution = await record(dependencies, found, request);
  const decided = resolution.outcome === 'stands' ? found : await carryOut(dependencies, found, resolution);
  await endContradiction(dependencies, found, resolution);
  const after = await findDisputeById(database, decided.id);
  return { before, after: await shownToOperators(database.reader(), after) };
}

async function record(
  { database, logger, now }: DisputeDependencies,
  dispute: DisputeRow,
  { id: _id, proposedAt, ...said }: Request,
): Promise<RecordedResolution> {
  return await database.transaction(async (tx) => {
    const row = await lockDispute(tx, dispute);
    if (row.resolution?.approvalId === said.approvalId) return row.resolution;
    if (!outcomesOf(row).includes(said.outcome))
      throw new InvalidDisputeStateError('not contradicted by its provider, nor entered by hand and undecided,');
    // The first operator has seen another contradiction than this one.
    const isAnother = row.attentionAt && row.attentionAt.getTime() > Date.parse(proposedAt ?? '9999-12-31');
    if (row.attention === 'contradiction' && isAnother) {
      throw new InvalidDisputeStateError('contradicted anew since that was proposed');
    }
    await requireFollowable(tx, row, said);
    const resolution = { ...said, resolvedAt: now().toISOString(), settlesUntil: settledAt(row).toISOString() };
    logger.warn({ disputeId: row.id, ...resolution }, 'dispute resolved by hand');
    tx.em.assign(row, { resolution });
    return resolution;
  });
}

/**
 * Later than the decision on record, and not later than need be: what the provider says from then on is news. Of one that
 * was entered it says nothing before it was opened.
 */
function settledAt({ verdictAt, attention, attentionAt, entry }: DisputeRow): Date {
  const decided = verdictAt?.getTime() ?? Date.parse(entry?.openedAt ?? '1970-01-01');
  return new Date(Math.max(decided + 1, attention === 'contradiction' ? (attentionAt?.getTime() ?? 0) : 0));
}

/** @throws InvalidDisputeStateError for what would only be another contradiction */
async function requireFollowable(
  tx: Tx,
  row: DisputeRow,
  { outcome, lostAmount }: Pick<DisputeResolution, 'outcome' | 'lostAmount'>,
): Promise<void> {
  if (outcome === 'stands') return;
  const { environment, provider, disputeRef, e2eId, round } = row;
  const ofClaim = { environment, provider, disputeRef, e2eId };
  const later = await tx.em.count(DisputeEntity, { ...ofClaim, round: { $gt: round } });
  if (later > 0) throw new InvalidDisputeStateError('followed by another round');
  const lost = lostAmount ?? row.amount;
  if (outcome === 'won') return;
  if (lost > row.amount) throw new InvalidDisputeStateError(`about ${row.amount}`);
  if (row.verdict === 'lost' && lost < (row.lostAmount ?? row.amount)) {
    throw new InvalidDisputeStateError('lost for more: it has to be won first');
  }
}

async function carryOut(dependencies: DisputeDependencies, dispute: DisputeRow, resolution: RecordedResolution) {
  const { environment, provider, disputeRef, e2eId, currency, amount } = dispute;
  const { outcome, approvalId, lostAmount, settlesUntil } = resolution;
  const fact: DisputeFact = {
    type: outcome === 'won' ? 'dispute.won' : 'dispute.lost',
    ...{ dedupeKey: approvalId, at: new Date(settlesUntil), raw: null, disputeRef, e2eId },
    // What has gone back beyond a part is a further part.
    ...(outcome === 'won' ? {} : { returnId: approvalId }),
    money: { currency: requireRailCurrency(currency), amount: lostAmount ?? amount },
  };
  const source = { environment, provider };
  return await applyDisputeEvent(dependencies, source, byPeople(fact, resolution), ledgerTimeoutMs);
}

/** Evidence that was kept while the contradiction hid it is for operators next. */
async function endContradiction(
  { database, now }: DisputeDependencies,
  dispute: DisputeRow,
  { approvalId, settlesUntil }: RecordedResolution,
): Promise<void> {
  await database.transaction(async (tx) => {
    const row = await lockDispute(tx, dispute);
    if (row.attention !== 'contradiction' || row.resolution?.approvalId !== approvalId) return;
    const { environment, accountId, id: disputeId, verdict, verdictAt } = row;
    const kept = await tx.em.count(EvidenceEntity, { environment, accountId, disputeId, state: 'KEPT' });
    const needsEvidence = kept > 0 && !verdict && environment === 'live';
    const until = new Date(settlesUntil);
    tx.em.assign(row, {
      attentionAt: needsEvidence ? now() : null,
      attention: needsEvidence ? 'evidence' : null,
      verdictAt: verdictAt && verdictAt < until ? until : (verdictAt ?? null),
    });
  });
}
