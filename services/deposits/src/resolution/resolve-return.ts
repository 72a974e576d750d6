import { LockMode } from '@mikro-orm/core';
import {
  DomainError,
  NotFoundError,
  type getReturn as getContract,
  type ReplyOf,
  type RequestOf,
  type resolveRefund as contract,
  type ReturnResolution,
} from '@gateway/contracts';
import { byPeople } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { bookReturn, holdReceipt } from '#src/orphan-receipts/ledger-steps.ts';
import { OrphanReceiptEntity, type OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { toOrphanReceipt } from '#src/orphan-receipts/to-orphan-receipt.ts';
import { driveRefund } from '#src/refund/drive-refund.ts';
import { followRefund, lockRefund } from '#src/refund/move-refund.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { toOperatorRefund } from '#src/refund/to-refund.ts';

type Request = RequestOf<typeof contract>;
type Reply = ReplyOf<typeof contract>;

/** What merchants read of a refund that operators have found not to have been sent. */
const failure = {
  failureReason: 'settlement_failed',
  failureMessage: 'The provider confirmed that the refund was not carried out.',
} as const;

const quiet = { attentionAt: null, attention: null } as const;

/**
 * Ends money on its way back to a payer as two operators have found out with its provider. One that they have ended so
 * already is answered as it is, and one that a provider contradicts is left as it stands when they confirm it. What the
 * provider says later still counts: done after failed is debited again.
 *
 * @throws DomainError INVALID_STATE when it is not on its way, or when both are one person
 */
export async function resolveReturn(dependencies: Dependencies, request: Request): Promise<Reply> {
  const { proposedBy, approvedBy } = request;
  if (proposedBy === approvedBy) throw new DomainError('INVALID_STATE', 'what moves money by hand needs two people');
  const resolution = byPeople(resolutionOf(dependencies, request), { proposedBy, approvedBy });
  const em = dependencies.database.reader();
  const refund = await em.findOne(RefundEntity, { id: request.id, state: { $ne: 'RESERVING' } });
  if (refund) return await endRefund(dependencies, refund, resolution);
  const orphan = await em.findOne(OrphanReceiptEntity, { id: request.id });
  if (orphan) return await endOrphan(dependencies, orphan, resolution);
  throw new NotFoundError('refund');
}

/** A refund of any account, or a receipt of nobody's: for operators. @throws NotFoundError */
export async function getReturn(
  { database }: Dependencies,
  { id }: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  const em = database.reader();
  const refund = await em.findOne(RefundEntity, { id, state: { $ne: 'RESERVING' } });
  if (refund) return { kind: 'refund', record: toOperatorRefund(refund) };
  const orphan = await em.findOne(OrphanReceiptEntity, { id });
  if (orphan) return { kind: 'orphan_receipt', record: toOrphanReceipt(orphan) };
  throw new NotFoundError('refund');
}

function resolutionOf({ now }: Dependencies, { id: _id, ...said }: Request): ReturnResolution {
  return { ...said, resolvedAt: now().toISOString() };
}

async function endRefund(dependencies: Dependencies, refund: RefundRow, resolution: ReturnResolution) {
  const { database, now, logger } = dependencies;
  const before = toOperatorRefund(refund);
  if (isRepeated(refund, resolution)) return { kind: 'refund', before, after: before } as const;
  const isDone = resolution.outcome === 'done';
  const decided = await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, isDone);
    const confirms = row.attentionAt && row.state === (isDone ? 'DONE' : 'FAILED');
    if (row.state !== 'SENDING' && !confirms) throw notUnderWay(row.state);
    logger.warn({ refundId: row.id, ...resolution }, 'refund resolved by hand');
    if (confirms) return tx.em.assign(row, { resolution, ...quiet });
    const facts = { resolution, callStartedAt: null, unknownSince: null };
    if (isDone) await followRefund(tx, row, 'done', { ...facts, returnId: resolution.returnId }, now());
    else await followRefund(tx, row, 'refused', { ...facts, ...failure, attempts: 0, nextAttemptAt: now() }, now());
    return row;
  });
  const driven = await driveRefund(dependencies, decided);
  return { kind: 'refund', before, after: toOperatorRefund(driven) } as const;
}

async function endOrphan(dependencies: Dependencies, orphan: OrphanReceiptRow, resolution: ReturnResolution) {
  const { database, logger } = dependencies;
  const before = toOrphanReceipt(orphan);
  if (isRepeated(orphan, resolution)) return { kind: 'orphan_receipt', before, after: before } as const;
  const isDone = resolution.outcome === 'done';
  if (isDone && orphan.state === 'RETURNING') {
    await holdReceipt(dependencies, orphan);
    await bookReturn(dependencies, orphan);
  }
  const { environment, provider, e2eId } = orphan;
  const after = await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOneOrFail(OrphanReceiptEntity, { environment, provider, e2eId }, lock);
    const confirms = row.attentionAt && row.state === (isDone ? 'RETURNED' : 'FAILED');
    if (row.state !== 'RETURNING' && !confirms) throw notUnderWay(row.state);
    logger.warn({ orphanId: row.id, ...resolution }, 'orphan receipt resolved by hand');
    const facts = { resolution, callStartedAt: null, unknownSince: null, nextAttemptAt: null };
    const solved = { ...facts, ...quiet };
    if (confirms) tx.em.assign(row, { resolution, ...quiet });
    else if (isDone) tx.em.assign(row, { ...solved, state: 'RETURNED', returnId: resolution.returnId });
    else tx.em.assign(row, { ...solved, state: 'FAILED', failure: `by hand: ${resolution.evidence}` });
    return toOrphanReceipt(row);
  });
  return { kind: 'orphan_receipt', before, after } as const;
}

function isRepeated({ resolution }: { resolution?: ReturnResolution | null }, { outcome, evidence }: ReturnResolution) {
  return resolution?.outcome === outcome && resolution.evidence === evidence;
}

function notUnderWay(state: string): DomainError {
  return new DomainError('INVALID_STATE', `money that is ${state} is not on its way back`);
}
