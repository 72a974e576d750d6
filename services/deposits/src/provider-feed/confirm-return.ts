import type { Environment } from '@gateway/contracts/values';
import type { ItemOutcome } from '@gateway/provider-feeds';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { askAboutOrphan } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import type { EventSource, ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { askAboutRefund, resumeRefund } from '#src/refund/resume-refund.ts';
import type { ReturnAnswer } from '#src/returns/return-progress.ts';

interface ReportedReturn {
  readonly environment: Environment;
  readonly provider: string;
  /** Our reference at the provider. */
  readonly ref: string;
  readonly end: 'DONE' | 'FAILED';
}

const taken: ItemOutcome = { kind: 'taken' };

/**
 * A provider reports that money has gone back to its payer, or will not. It is asked, and its answer counts: also about a
 * return that was decided otherwise, and about an orphan receipt. What agrees with the record needs no question.
 *
 * One that was done and has come back is never asked about again by itself: its report stays open until an answer agrees.
 *
 * @returns null when nothing here has that reference
 * @throws ProviderUnavailableError about a return that no schedule asks about, when the provider does not answer
 */
export async function confirmReturn(
  dependencies: ProviderFeedDependencies,
  reported: ReportedReturn,
): Promise<ItemOutcome | null> {
  const { environment, provider, ref, end } = reported;
  const key = { environment, provider, id: `rfd_${ref}` };
  const em = dependencies.database.reader();
  const refund = await em.findOne(RefundEntity, key);
  if (refund) {
    // One that is given up is asked about before anything is given back.
    if (refund.state === 'RESERVING' || refund.state === 'RELEASING' || refund.state === end) return taken;
    const { row, answer } = await askAboutRefund(dependencies, refund, { needsAnswer: refund.state !== 'SENDING' });
    if (row.state !== 'SENDING') await resumeRefund(dependencies, row);
    return outcomeOf(end, answer);
  }
  const orphan = await em.findOne(OrphanReceiptEntity, key);
  if (!orphan) return null;
  if (orphan.state === (end === 'DONE' ? 'RETURNED' : 'FAILED')) return taken;
  const { answer } = await askAboutOrphan(dependencies, orphan, { needsAnswer: orphan.state !== 'RETURNING' });
  return outcomeOf(end, answer);
}

/** What failed is asked about again by a plan of days, and what is done is not: an answer may be older than the report. */
function outcomeOf(end: ReportedReturn['end'], { kind }: ReturnAnswer): ItemOutcome {
  if (end === 'DONE' || kind === 'failed') return taken;
  return { kind: 'unconfirmed', cause: `the provider answers ${kind} about what it reported as failed` };
}

interface TakenBack {
  /** The payment that went back. */
  readonly e2eId: string;
  /** Whether the return has a reference, and it is none of ours. */
  readonly isNamed: boolean;
}

/**
 * Money of a payment has gone back. Where no refund, orphan receipt or dispute here explains that, it was sent another way, or
 * MED took it without a report: nothing is booked, and it stays open in the operators' sight.
 */
export async function checkExplained(
  { database }: ProviderFeedDependencies,
  { environment, provider }: EventSource,
  { e2eId, isNamed }: TakenBack,
): Promise<ItemOutcome> {
  const em = database.reader();
  const key = { environment, provider, e2eId };
  const payment = (await em.findOne(PaymentEntity, key)) ?? (await em.findOne(TransferEntity, key));
  if (!payment) return taken;
  const { accountId, depositId } = payment;
  const ofDeposit = { environment, accountId, depositId };
  if ((await em.count(DisputeEntity, ofDeposit)) > 0) return taken;
  const isSent =
    !isNamed && ((await em.count(RefundEntity, ofDeposit)) > 0 || (await em.count(OrphanReceiptEntity, key)) > 0);
  return isSent ? taken : { kind: 'unconfirmed', cause: 'money went back that nobody here has sent' };
}
