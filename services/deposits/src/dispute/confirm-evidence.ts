import type { confirmEvidence as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { findDisputeById, lockDispute } from '#src/dispute/find-dispute.ts';
import { shownToOperators } from '#src/dispute/to-dispute.ts';
import { InvalidDisputeStateError } from '#src/errors.ts';

/**
 * An operator has handed over by hand what the provider takes over no interface: its merchant is told when, and the
 * dispute needs nobody for it any more.
 *
 * @throws InvalidDisputeStateError when no evidence waits for that
 */
export async function confirmEvidence(
  { database, now }: DisputeDependencies,
  { id }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
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
