import type {
  getDispute as contract,
  getEvidenceText as textContract,
  getOperatorDispute as operatorContract,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute, findDisputeById } from '#src/dispute/find-dispute.ts';
import { shownDispute, shownToOperators } from '#src/dispute/to-dispute.ts';

export async function getDispute(
  { database }: DisputeDependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { dispute: await shownDispute(database.reader(), await findDispute(database, request)) };
}

export async function getOperatorDispute(
  { database }: DisputeDependencies,
  { id }: RequestOf<typeof operatorContract>,
): Promise<ReplyOf<typeof operatorContract>> {
  return { dispute: await shownToOperators(database.reader(), await findDisputeById(database, id)) };
}

/**
 * The text of a piece of evidence, for the document its provider fetches.
 *
 * @throws NotFoundError also for the evidence of others
 */
export async function getEvidenceText(
  { database }: DisputeDependencies,
  { environment, accountId, evidenceId: id }: RequestOf<typeof textContract>,
): Promise<ReplyOf<typeof textContract>> {
  const em = database.reader();
  const evidence = await em.findOne(EvidenceEntity, { environment, accountId, id });
  if (!evidence) throw new NotFoundError('evidence');
  const { disputeId, text, createdAt } = evidence;
  const { e2eId } = await em.findOneOrFail(DisputeEntity, { environment, accountId, id: disputeId });
  return { text, disputeId, e2eId, createdAt: createdAt.toISOString() };
}
