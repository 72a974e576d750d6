import { LockMode } from '@mikro-orm/core';
import { DisputeContested, newId, type Environment } from '@gateway/contracts';
import type { ProviderEvent } from '@gateway/providers';
import type { Tx } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { driveDispute } from '#src/dispute/drive-dispute.ts';
import { moveDispute } from '#src/dispute/move-dispute.ts';
import { DisputeUnderWayError, PaymentUnknownError } from '#src/errors.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import { TransferEntity } from '#src/payment/transfer-entity.ts';
import { nextAttempt } from '#src/returns/retry-distance.ts';

export type DisputeEvent = Extract<ProviderEvent, { disputeRef: string }>;

export interface DisputeSource {
  readonly environment: Environment;
  readonly provider: string;
}

/** What has to hold before a new dispute is opened; throws otherwise. The deposit is locked in `tx`. */
type BeforeOpening = (tx: Tx, deposit: DepositRow) => Promise<void>;

/**
 * What a provider says about a dispute, by its certain word. Repetition makes no difference; a decision that overtakes its
 * opening opens the dispute too, and one that is opened again after a decision for the merchant is a new dispute.
 *
 * @throws DisputeUnderWayError while an earlier decision is still being carried out
 * @throws PaymentUnknownError when the payment is not recorded (yet)
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper goes on
 */
export async function takeDisputeEvent(
  dependencies: Dependencies,
  source: DisputeSource,
  event: DisputeEvent,
  timeoutMs: number,
  beforeOpening: BeforeOpening = async () => undefined,
): Promise<DisputeRow> {
  const { database, now } = dependencies;
  const dispute = await database.transaction(async (tx) => {
    const { row, isNew } = await findOrOpen(tx, source, event, { now: now(), beforeOpening });
    if (event.type === 'dispute.review' && !isNew && row.state === 'OPEN') {
      await moveDispute(tx, row, 'contested', DisputeContested, { now: now() });
    }
    if (event.type === 'dispute.won' || event.type === 'dispute.lost') decide(tx, row, event, now());
    return row;
  });
  return await driveDispute(dependencies, dispute, timeoutMs);
}

async function findOrOpen(
  tx: Tx,
  source: DisputeSource,
  event: DisputeEvent,
  { now, beforeOpening }: { readonly now: Date; readonly beforeOpening: BeforeOpening },
) {
  const deposit = await lockDepositOf(tx, source, event.e2eId);
  const known = await tx.em.findOne(
    DisputeEntity,
    { ...source, disputeRef: event.disputeRef },
    { orderBy: { round: 'desc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (known && !isReopened(known, event)) return { row: known as DisputeRow, isNew: false };
  await beforeOpening(tx, deposit);
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
  });
  return { row: row as DisputeRow, isNew: true };
}

/** What is older than the decision is a late repetition. */
function isReopened(known: DisputeRow, event: DisputeEvent): boolean {
  if (known.state !== 'WON' || !known.verdictAt || event.at <= known.verdictAt) return false;
  return event.type !== 'dispute.won';
}

function decide(tx: Tx, row: DisputeRow, event: DisputeEvent, now: Date): void {
  const verdict = event.type === 'dispute.won' ? 'won' : 'lost';
  if (row.verdict === verdict || (row.verdictAt && event.at <= row.verdictAt)) return;
  if (row.verdict && row.state !== 'LOST') throw new DisputeUnderWayError();
  const lost = verdict === 'lost' ? event.money?.amount : undefined;
  const part = lost !== undefined && lost < row.amount ? lost : null;
  tx.em.assign(row, {
    verdict,
    verdictAt: event.at,
    lostAmount: part,
    attempts: 0,
    nextAttemptAt: nextAttempt(0, now),
  });
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
  const transfer = await tx.em.findOne(TransferEntity, { environment, provider, e2eId });
  if (!transfer) return null;
  const returned = await tx.em.findOne(OrphanReceiptEntity, { environment, provider, e2eId });
  if (returned) return null;
  const { accountId, depositId } = transfer;
  return await tx.em.findOne(PaymentEntity, { environment, accountId, depositId });
}
