import type {
  getDispute as getContract,
  getEvidenceText as textContract,
  getOperatorDispute as operatorContract,
  listDisputes as listContract,
  listOperatorDisputes as operatorListContract,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { idsWithin, pageOf, readInTime, wantedRecords } from '@gateway/persistence';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute, findDisputeById } from '#src/dispute/dispute-record.ts';
import { shownDispute, shownToOperators, toDispute, toOperatorDispute, withEvidence } from '#src/dispute/to-dispute.ts';
import { UnknownCursorError } from '#src/errors.ts';

export async function getDispute(
  { database }: DisputeDependencies,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
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

type Request = RequestOf<typeof listContract>;

/** By id: new records never move those of later pages. */
export async function listDisputes(
  dependencies: DisputeDependencies,
  request: Request,
): Promise<ReplyOf<typeof listContract>> {
  const { environment, accountId, cursor, status, depositId, dueBefore, limit, order = 'desc' } = request;
  if (cursor !== undefined) await requireDispute(dependencies, { ...request, id: cursor });
  const found = await dependencies.database.reader().find(
    DisputeEntity,
    {
      environment,
      accountId,
      state: status ?? { $ne: 'OPENING' },
      ...idsWithin('dispute', request),
      ...(depositId === undefined ? {} : { depositId }),
      ...(dueBefore === undefined ? {} : evidenceDueBefore(dueBefore)),
    },
    { orderBy: { id: order }, limit: limit + 1 },
  );
  const { rows: page, nextCursor } = pageOf(found, limit);
  const disputes = await withEvidence(dependencies.database.reader(), page, toDispute);
  return { disputes, nextCursor };
}

/** Of all accounts and both environments: for operators. */
export async function listOperatorDisputes(
  { database }: DisputeDependencies,
  request: RequestOf<typeof operatorListContract>,
): Promise<ReplyOf<typeof operatorListContract>> {
  const { status, e2eId, dueBefore, cursor, limit } = request;
  const visible = { $ne: 'OPENING' as const };
  return await readInTime(database, async (em) => {
    if (cursor !== undefined && (await em.count(DisputeEntity, { id: cursor, state: visible })) === 0) {
      throw new UnknownCursorError('a dispute');
    }
    const where = {
      $and: [
        ...wantedRecords('dispute', request),
        { state: status ?? visible },
        ...(e2eId === undefined ? [] : [{ e2eId }]),
        ...(dueBefore === undefined ? [] : [evidenceDueBefore(dueBefore)]),
      ],
    };
    const found = await em.find(DisputeEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
    const { rows: page, nextCursor } = pageOf(found, limit);
    return { disputes: await withEvidence(em, page, toOperatorDispute), nextCursor };
  });
}

/** Not decided yet, and the time for evidence ends before that one, Unix seconds. */
function evidenceDueBefore(unixSec: number) {
  return { resolvedAt: null, defenseDueAt: { $lt: new Date(unixSec * 1_000) } };
}

async function requireDispute(
  { database }: DisputeDependencies,
  key: Parameters<typeof findDispute>[1],
): Promise<void> {
  try {
    await findDispute(database, key);
  } catch (error) {
    throw error instanceof NotFoundError ? new UnknownCursorError('a dispute') : error;
  }
}
