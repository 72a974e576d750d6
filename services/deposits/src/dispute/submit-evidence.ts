import {
  type confirmEvidence as confirmContract,
  DisputeContested,
  type submitEvidence as contract,
} from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute, findDisputeById, lockDispute, moveDispute } from '#src/dispute/dispute-record.ts';
import { shownDispute, shownToOperators } from '#src/dispute/to-dispute.ts';
import { InvalidDisputeStateError } from '#src/errors.ts';

/** Keeps a merchant's defence, to be sent to the provider by a sweeper, and says that the dispute is contested. */
export async function submitEvidence(
  { database, now }: DisputeDependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  await findDispute(database, request);
  return await database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, request);
    if (dispute.verdict) throw new InvalidDisputeStateError(`decided as ${dispute.verdict}`);
    const { environment, accountId, id: disputeId } = dispute;
    tx.em.create(EvidenceEntity, {
      environment,
      accountId,
      disputeId,
      id: newId('request', now().getTime()),
      text: request.text,
      urls: [...request.urls],
      files: [...(request.files ?? [])],
      createdAt: now(),
      state: 'WAITING',
      failure: null,
      sentAt: null,
      attempts: 0,
      nextAttemptAt: now(),
    });
    await tx.em.flush();
    await moveDispute(tx, dispute, 'contested', DisputeContested, { now: now() });
    return { dispute: await shownDispute(tx.em, dispute) };
  });
}

/**
 * An operator has handed over by hand what the provider takes over no interface: its merchant sees when, and the
 * dispute needs no operator for it any more.
 *
 * @throws InvalidDisputeStateError when no evidence waits for that
 */
export async function confirmEvidence(
  { database, now }: DisputeDependencies,
  { id }: RequestOf<typeof confirmContract>,
): Promise<ReplyOf<typeof confirmContract>> {
  const found = await findDisputeById(database, id);
  return await database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, found);
    const before = await shownToOperators(tx.em, dispute);
    const { environment, accountId } = dispute;
    const kept = await tx.em.find(EvidenceEntity, { environment, accountId, disputeId: id, state: 'KEPT' });
    if (kept.length === 0) throw new InvalidDisputeStateError('not waiting for its evidence to be handed over');
    for (const evidence of kept) tx.em.assign(evidence, { state: 'SENT', sentAt: now(), failure: null });
    if (dispute.attention === 'evidence') tx.em.assign(dispute, { attentionAt: null, attention: null });
    await tx.em.flush();
    return { before, dispute: await shownToOperators(tx.em, dispute) };
  });
}
