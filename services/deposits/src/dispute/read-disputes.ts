import type {
  getDispute as getContract,
  getEvidenceText as textContract,
  getOperatorDispute as operatorContract,
  listDisputes as listContract,
  listOperatorDisputes as operatorListContract,
  showDisputes as showContract,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { ownedBy, pageOf, readInTime, RecordList, wanted, wantedRecords, type Condition } from '@gateway/persistence';
import { presenters } from '@gateway/public-api/presenters';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { disputeColumns, DisputeEntity, EvidenceEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
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

const list = new RecordList<DisputeRow>({
  kind: 'dispute',
  from: 'dispute',
  columns: disputeColumns.selectedFrom('dispute'),
});

/** By id: new records never move those of later pages. */
export async function listDisputes(
  { database }: DisputeDependencies,
  { environment, accountId, status, depositId, dueBefore, ...page }: Request,
): Promise<ReplyOf<typeof listContract>> {
  const found = await list.page(database, {
    ...page,
    owned: [ownedBy({ environment, accountId }), isOpened],
    filters: [
      ...wanted('state = ?', status),
      ...wanted('deposit_id = ?', depositId),
      ...wanted('resolved_at is null and defense_due_at < to_timestamp(?)', dueBefore),
    ],
  });
  if (!found) throw new UnknownCursorError('a dispute');
  const disputes = await withEvidence(database.reader(), found.rows, toDispute);
  return { disputes, nextCursor: found.nextCursor };
}

/** As `listDisputes`, in the contract that the merchant is answered in. */
export async function showDisputes(
  dependencies: DisputeDependencies,
  { apiVersion, language, ...request }: RequestOf<typeof showContract>,
): Promise<ReplyOf<typeof showContract>> {
  const { disputes, nextCursor } = await listDisputes(dependencies, request);
  return {
    data: disputes.map((dispute) => presenters[apiVersion].dispute(dispute, language)),
    next_cursor: nextCursor,
  };
}

/** Before that its money is not blocked. */
const isOpened: Condition = { sql: `state <> 'OPENING'`, values: [] };

/** Of all accounts and both environments: for operators. */
export async function listOperatorDisputes(
  { database }: DisputeDependencies,
  request: RequestOf<typeof operatorListContract>,
): Promise<ReplyOf<typeof operatorListContract>> {
  const { status, e2eId, dueBefore, cursor, limit } = request;
  const visible = { $ne: 'OPENING' as const };
  return await readInTime(database, async ({ em }) => {
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
