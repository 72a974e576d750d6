import { LockMode } from '@mikro-orm/core';
import { DisputeContested, type DisputeEntry } from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import type { Asked, DisputeFact, Graded } from '@gateway/providers';
import { currentTraceId } from '@gateway/runtime';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { attribute, countReturns } from '#src/dispute/counted-returns.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { moveDispute } from '#src/dispute/dispute-record.ts';
import { resumeDispute } from '#src/dispute/resume-dispute.ts';
import { DisputeUnderWayError, PaymentUnknownError } from '#src/errors.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import { alarm } from '#src/returns/return-record.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';

/** What only holds money back; everything else has to be asked for. */
export type DisputeOpening = DisputeFact & { readonly type: 'dispute.opened' };
export type DisputeEvent = Asked<DisputeFact> | Graded<'ours', DisputeOpening>;

export interface DisputeSource {
  readonly environment: Environment;
  readonly provider: string;
}

/** How a new dispute is opened. */
interface Opening {
  /** What has to hold before; throws otherwise. The deposit is locked in `tx`. */
  readonly before?: (tx: Tx, deposit: DepositRow) => Promise<void>;
  /** By whom it is entered that its provider does not report. */
  readonly entry?: DisputeEntry;
}

/**
 * Applies what a provider reports of a dispute and we believe. Repetition makes no difference; a decision that overtakes its
 * opening opens the dispute too, and one that is opened again after a decision for the merchant is a new dispute.
 *
 * @throws DisputeUnderWayError while an earlier decision is still being carried out
 * @throws PaymentUnknownError when the payment is not recorded (yet)
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper goes on
 */
export async function applyDisputeEvent(
  dependencies: DisputeDependencies,
  source: DisputeSource,
  event: DisputeEvent,
  timeoutMs: number,
  opening: Opening = {},
): Promise<DisputeRow> {
  const { database, now } = dependencies;
  const dispute = await database.transaction(async (tx) => {
    const report = await asFirstReported(tx, source, event);
    const { row, isNew, own } = await findOrOpen(tx, source, report, { now: now(), opening });
    if (!own && isReopened(row, report)) contradicts(dependencies, row, 'lost again by what was given back');
    if (own && isNews(row, own)) {
      applyReport(dependencies, row, own);
      await tx.em.flush();
      await countReturns(tx, row, own);
    }
    if (isNews(row, report) && report.type === 'dispute.review' && !isNew && row.state === 'OPEN') {
      await moveDispute(tx, row, 'contested', DisputeContested, { now: now() });
    }
    return row;
  });
  return await resumeDispute(dependencies, dispute, timeoutMs);
}

/**
 * An opening that is reported again, however late and by whatever clock, is the one reported first: its time was recorded
 * then.
 */
async function asFirstReported(tx: Tx, { environment, provider }: DisputeSource, event: DisputeEvent) {
  if (event.type !== 'dispute.opened') return event;
  const [first] = await tx.sql<{ at: Date }>(
    `insert into dispute_opening as known (environment, provider, dedupe_key, at) values ($1, $2, $3, $4)
     on conflict (environment, provider, dedupe_key) do update set at = least(known.at, excluded.at)
     returning at`,
    [environment, provider, event.dedupeKey, event.at],
  );
  return first && first.at < event.at ? { ...event, at: first.at } : event;
}

async function findOrOpen(
  tx: Tx,
  source: DisputeSource,
  reported: DisputeEvent,
  { now, opening }: { readonly now: Date; readonly opening: Opening },
) {
  const deposit = await lockDepositOf(tx, source, reported.e2eId);
  const attributed = await attribute(tx, source, reported);
  if (attributed.event === null) return { row: attributed.known, isNew: false, own: null };
  const { known, event } = attributed;
  if (known && !isReopened(known, event)) return { row: known, isNew: false, own: event };
  await opening.before?.(tx, deposit);
  const { environment, accountId, externalId, currency } = deposit;
  const row = tx.em.create(DisputeEntity, {
    ...{ environment, accountId, externalId, currency },
    id: newId('dispute', now.getTime()),
    depositId: deposit.id,
    provider: source.provider,
    disputeRef: event.disputeRef,
    round: (known?.round ?? 0) + 1,
    providerRef: event.providerRef ?? null,
    e2eId: event.e2eId,
    amount: Math.min(event.money?.amount ?? deposit.amount, deposit.amount),
    blocked: 0,
    returned: 0,
    overturned: null,
    shortfall: 0,
    reason: event.reason ?? null,
    state: 'OPENING',
    verdict: null,
    verdictAt: null,
    lostAmount: null,
    lostId: null,
    openedAt: now,
    defenseDueAt: event.dueAt ?? null,
    resolvedAt: null,
    attempts: 0,
    nextAttemptAt: nextAttempt(0, now),
    stepSince: now,
    reopenedAfter: known?.verdictAt ?? null,
    extendedBy: null,
    holdingSequence: 0,
    traceId: currentTraceId(),
    attentionAt: null,
    attention: null,
    resolution: null,
    entry: opening.entry ?? null,
  });
  return { row: row as DisputeRow, isNew: true, own: event };
}

/** What is not newer than the decision is a late repetition. */
export function isReopened(known: DisputeRow, event: Pick<DisputeEvent, 'type' | 'at'>): boolean {
  if (known.state !== 'WON' || !known.verdictAt || event.at <= known.verdictAt) return false;
  return event.type !== 'dispute.won';
}

/** What is dated before the dispute was opened again is about the round before. */
function isNews({ reopenedAfter }: DisputeRow, { at }: DisputeEvent): boolean {
  return !reopenedAfter || at > reopenedAfter;
}

/** @throws DisputeUnderWayError while an earlier decision is still being carried out */
function applyReport(dependencies: DisputeDependencies, row: DisputeRow, event: DisputeEvent): void {
  const { verdict, verdictAt } = row;
  if (verdictAt && event.at < verdictAt) return;
  if (event.type === 'dispute.opened' || event.type === 'dispute.review') {
    // One that is lost is not looked at again: it would have to be won first.
    if (verdict === 'lost' && verdictAt && event.at > verdictAt)
      contradicts(dependencies, row, 'open after it was lost');
    return;
  }
  const decision = event.type === 'dispute.won' ? 'won' : 'lost';
  if (verdict === decision) {
    if (hasTakenMore(row, event)) return applyFurtherLoss(dependencies, row, event);
    if (isAnotherLoss(row, event)) contradicts(dependencies, row, 'lost for another amount');
    return;
  }
  if (verdictAt?.getTime() === event.at.getTime()) return contradicts(dependencies, row, 'won and lost at once');
  if (verdict && row.stepSince) throw new DisputeUnderWayError();
  decide(dependencies, row, decision, event);
}

function decide(
  dependencies: DisputeDependencies,
  row: DisputeRow,
  decision: 'won' | 'lost',
  event: DisputeEvent,
): void {
  const now = dependencies.now();
  const part = decision === 'lost' ? lostPart(row, event) : null;
  const lost = decision === 'lost' ? (event.money?.amount ?? row.amount) : 0;
  if (lost > row.amount) contradicts(dependencies, row, 'lost for more than is contested');
  Object.assign(row, {
    verdict: decision,
    verdictAt: event.at,
    lostAmount: part,
    stepSince: now,
    attempts: 0,
    nextAttemptAt: nextAttempt(0, now),
  });
}

/** MED may take a payment back in parts, over weeks: each answer names the sum that has gone, and what has gone is lost. */
function hasTakenMore({ lostAmount, lostId }: DisputeRow, { type, money, returnId }: DisputeEvent): boolean {
  if (type !== 'dispute.lost' || !money || returnId === undefined || lostId) return false;
  return typeof lostAmount === 'number' && money.amount > lostAmount;
}

/** @throws DisputeUnderWayError while the part before is still being carried out */
function applyFurtherLoss(dependencies: DisputeDependencies, row: DisputeRow, event: DisputeEvent): void {
  if (row.stepSince) throw new DisputeUnderWayError();
  const now = dependencies.now();
  const gone = event.money?.amount ?? row.amount;
  if (gone > row.amount) contradicts(dependencies, row, 'lost for more than is contested');
  Object.assign(row, {
    ...{ verdictAt: event.at, lostAmount: lostPart(row, event), extendedBy: `returned-${gone}` },
    ...{ stepSince: now, attempts: 0, nextAttemptAt: nextAttempt(0, now) },
  });
}

/** Null where all of it is lost. */
function lostPart({ amount }: DisputeRow, { money }: DisputeEvent): number | null {
  return money && money.amount < amount ? money.amount : null;
}

function isAnotherLoss(row: DisputeRow, event: DisputeEvent): boolean {
  return (
    event.type === 'dispute.lost' && event.money !== undefined && lostPart(row, event) !== (row.lostAmount ?? null)
  );
}

/** Nothing is booked for what excludes the record; operators look at it. */
function contradicts(dependencies: DisputeDependencies, row: DisputeRow, what: string): void {
  if (row.attention === 'contradiction') return;
  alarm(dependencies, 'dispute', row, what);
  const now = dependencies.now();
  Object.assign(row, { attention: 'contradiction', attentionAt: row.attentionAt ?? now });
}

async function lockDepositOf(tx: Tx, source: DisputeSource, e2eId: string) {
  const payment = await paymentOf(tx, source, e2eId);
  if (payment?.state !== 'CREDITED') throw new PaymentUnknownError();
  const { environment, accountId, depositId: id } = payment;
  return await tx.em.findOneOrFail(
    DepositEntity,
    { environment, accountId, id },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

/** The payment that came with this transfer: by its own end-to-end id, or as one of several that made it up. */
async function paymentOf(tx: Tx, { environment, provider }: DisputeSource, e2eId: string) {
  const payment = await tx.em.findOne(PaymentEntity, { environment, provider, e2eId });
  if (payment) return payment;
  const transfer =
    (await tx.em.findOne(TransferEntity, { environment, provider, e2eId })) ??
    (await tx.em.findOne(TransferEntity, { environment, provider, trackingKey: e2eId }));
  if (!transfer) return null;
  const returned = await tx.em.findOne(OrphanReceiptEntity, { environment, provider, e2eId: transfer.e2eId });
  if (returned) return null;
  const { accountId, depositId } = transfer;
  return await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
}
