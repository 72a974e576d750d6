import { DisputeContested, type submitEvidence as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute, lockDispute } from '#src/dispute/find-dispute.ts';
import { moveDispute } from '#src/dispute/move-dispute.ts';
import { shownDispute } from '#src/dispute/to-dispute.ts';
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
