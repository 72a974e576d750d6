import type {
  getReturn as getContract,
  resolveRefund as contract,
  ReturnResolution,
} from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { byPeople } from '@gateway/providers';
import { CallUnderWayError } from '#src/errors.ts';
import { orphanOutcomesOf, toOrphanReceipt } from '#src/orphan-receipts/operator-requests.ts';
import { OrphanReceiptEntity, type OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt.ts';
import { bookOrphan, lockOrphan } from '#src/orphan-receipts/book-orphan.ts';
import { goneBack, notGoneBack } from '#src/orphan-receipts/record-orphan-answer.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { debitIfForgotten } from '#src/refund/ledger-steps.ts';
import { takeComeBack, transitionRefund, lockRefund } from '#src/refund/move-refund.ts';
import { refundOutcomesOf, toOperatorRefund } from '#src/refund/read-refunds.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { resumeRefund } from '#src/refund/resume-refund.ts';
import { isCallUnderWay, quiet, wasCalledAfter } from '#src/returns/return-record.ts';

type Request = RequestOf<typeof contract>;
type Proposal = Request['proposal'];
type Reply = ReplyOf<typeof contract>;

/** What merchants read of a refund that operators have found not to have been sent. */
const failure = {
  failureReason: 'settlement_failed',
  failureMessage: 'The provider confirmed that the refund was not carried out.',
} as const;

/**
 * Ends money on its way back to a payer as two operators have found out with its provider. One that they have ended so
 * already is answered as it is, and one that a provider contradicts is left as it stands when they confirm it. That one
 * which has failed was done all the same, they can report as well as its provider: done after failed is debited again. So
 * can they that a refund which was done has come back, of one that a provider contradicts: it is credited again, once for
 * each time that it was done.
 *
 * @throws DomainError INVALID_STATE when it is not on its way, or is no longer what it was when that was proposed, or when
 *   both are one person
 * @throws CallUnderWayError to `failed` while a call is under way that may carry it out: a moment later it is known
 */
export async function resolveReturn(dependencies: ProviderFeedDependencies, request: Request): Promise<Reply> {
  const { proposedBy, approvedBy, proposal } = request;
  if (proposedBy === approvedBy) throw new DomainError('INVALID_STATE', 'what moves money by hand needs two people');
  const resolution = byPeople(resolutionOf(dependencies, request), { proposedBy, approvedBy });
  const em = dependencies.database.reader();
  const refund = await em.findOne(RefundEntity, { id: request.id, state: { $ne: 'RESERVING' } });
  if (refund) return await endRefund(dependencies, refund, resolution, proposal);
  const orphan = await em.findOne(OrphanReceiptEntity, { id: request.id });
  if (orphan) return await endOrphan(dependencies, orphan, resolution, proposal);
  throw new NotFoundError('refund');
}

/** A refund or an orphan receipt of any account: for operators. @throws NotFoundError */
export async function getReturn(
  { database }: ProviderFeedDependencies,
  { id }: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  const em = database.reader();
  const refund = await em.findOne(RefundEntity, { id, state: { $ne: 'RESERVING' } });
  if (refund) return { kind: 'refund', record: toOperatorRefund(refund) };
  const orphan = await em.findOne(OrphanReceiptEntity, { id });
  if (orphan) return { kind: 'orphan_receipt', record: toOrphanReceipt(orphan) };
  throw new NotFoundError('refund');
}

function resolutionOf(
  { now }: ProviderFeedDependencies,
  { id: _id, proposal: _proposal, ...said }: Request,
): ReturnResolution {
  return { ...said, resolvedAt: now().toISOString() };
}

async function endRefund(
  dependencies: ProviderFeedDependencies,
  refund: RefundRow,
  resolution: ReturnResolution,
  proposal: Proposal,
) {
  const { database, now, logger } = dependencies;
  const before = toOperatorRefund(refund);
  const isDone = resolution.outcome === 'done';
  if (isDone && refund.state === 'SENDING' && !isRepeated(refund, resolution)) {
    requireStatable(refund, resolution, proposal, now());
    await debitIfForgotten(dependencies, refund);
  }
  const decided = await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, true);
    if (isRepeated(row, resolution)) return row;
    requireStatable(row, resolution, proposal, now());
    const confirms = row.attentionAt && row.state === (isDone ? 'DONE' : 'FAILED');
    const doneAfterFailure = isDone && row.state === 'FAILED';
    const cameBack = !isDone && row.state === 'DONE';
    logger.warn({ refundId: row.id, ...resolution }, 'refund resolved by hand');
    if (confirms) return tx.em.assign(row, { resolution, ...quiet });
    if (cameBack) {
      await takeComeBack(tx, row, { resolution, ...failure }, now());
      return row;
    }
    const { returnId } = resolution;
    const facts = { resolution, callStartedAt: null, unknownSince: null };
    const due = { attempts: 0, nextAttemptAt: now() };
    if (!isDone) await transitionRefund(tx, row, 'refused', { ...facts, ...failure, ...due }, now());
    else if (!doneAfterFailure) await transitionRefund(tx, row, 'done', { ...facts, returnId }, now());
    else
      await transitionRefund(
        tx,
        row,
        'doneAfterFailure',
        { ...facts, ...due, ...quiet, returnId, finishedAt: null },
        now(),
      );
    return row;
  });
  const driven = await resumeRefund(dependencies, decided);
  return { kind: 'refund', before, after: toOperatorRefund(driven) } as const;
}

/** @throws DomainError INVALID_STATE, CallUnderWayError */
function requireStatable(row: RefundRow, resolution: ReturnResolution, proposal: Proposal, now: Date): void {
  requireAsProposed(toOperatorRefund(row).status, row, resolution, proposal);
  if (!refundOutcomesOf(row).includes(resolution.outcome)) throw notUnderWay(row.state);
  if (resolution.outcome === 'failed' && isCallUnderWay(row, now)) throw new CallUnderWayError();
}

/** The decision is on record before the ledger hears of it: of two that exclude each other, it hears of one. */
async function endOrphan(
  dependencies: ProviderFeedDependencies,
  orphan: OrphanReceiptRow,
  resolution: ReturnResolution,
  proposal: Proposal,
) {
  const { database, now, logger } = dependencies;
  const before = toOrphanReceipt(orphan);
  const isDone = resolution.outcome === 'done';
  const decided = await database.transaction(async (tx) => {
    const row = await lockOrphan(tx, orphan);
    if (isRepeated(row, resolution)) return row;
    requireAsProposed(toOrphanReceipt(row).state, row, resolution, proposal);
    const confirms = row.attentionAt && row.state === (isDone ? 'RETURNED' : 'FAILED');
    if (!orphanOutcomesOf(row).includes(resolution.outcome)) throw notUnderWay(row.state);
    if (!isDone && isCallUnderWay(row, now())) throw new CallUnderWayError();
    logger.warn({ orphanId: row.id, ...resolution }, 'orphan receipt resolved by hand');
    if (confirms) return tx.em.assign(row, { resolution, ...quiet });
    const facts = { resolution, unknownSince: null };
    if (isDone) tx.em.assign(row, { ...facts, ...goneBack(resolution, now()) });
    else tx.em.assign(row, { ...facts, ...notGoneBack(row, `by hand: ${resolution.evidence}`, now()) });
    return row;
  });
  const booked = await bookOrphan(dependencies, decided);
  return { kind: 'orphan_receipt', before, after: toOrphanReceipt(booked) } as const;
}

/** What was decided before approvals were kept with it is known by its words. */
function isRepeated(
  { resolution }: { resolution?: ReturnResolution | null },
  { outcome, evidence, approvalId }: ReturnResolution,
) {
  if (resolution?.approvalId && approvalId) return resolution.approvalId === approvalId;
  return resolution?.outcome === outcome && resolution.evidence === evidence;
}

interface Seen {
  readonly finishedAt?: Date | null | undefined;
  readonly cameBackAt?: Date | null | undefined;
  readonly returningSince?: Date | undefined;
  readonly lastCalledAt?: Date | null | undefined;
}

/**
 * What two operators state is about what the first of them has seen: `failed` means of a refund under way that it was not sent,
 * of a done one that it came back; and it may have been sent again, or have ended anew, since.
 */
function requireAsProposed(status: string, row: Seen, { outcome }: ReturnResolution, proposal: Proposal): void {
  if (!proposal) return;
  const at = new Date(proposal.at);
  const changes = [row.finishedAt, row.cameBackAt, row.returningSince];
  const hasChanged = status !== proposal.status || changes.some((change) => (change?.getTime() ?? 0) > at.getTime());
  if (hasChanged || (outcome === 'failed' && wasCalledAfter(row, at))) {
    throw new DomainError(
      'INVALID_STATE',
      `it is ${status}, and has changed since that was proposed; propose it again`,
    );
  }
}

function notUnderWay(state: string): DomainError {
  return new DomainError('INVALID_STATE', `money that is ${state} is not on its way back`);
}
