import type { ItemOutcome } from '@gateway/provider-feeds';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import type { EventSource } from '#src/provider-feed/event-source.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';

interface TakenBack {
  /** The payment that went back. */
  readonly e2eId: string;
  /** Whether the return has a reference, and it is none of ours. */
  readonly isNamed: boolean;
}

/**
 * Money of a payment has gone back. Where no refund, receipt of nobody's or dispute here explains that, somebody sent it
 * another way, or MED took it without saying so: nothing is booked, and it stays open in the operators' sight.
 */
export async function checkExplained(
  { database }: ProviderFeedDependencies,
  { environment, provider }: EventSource,
  { e2eId, isNamed }: TakenBack,
): Promise<ItemOutcome> {
  const em = database.reader();
  const key = { environment, provider, e2eId };
  const payment = (await em.findOne(PaymentEntity, key)) ?? (await em.findOne(TransferEntity, key));
  if (!payment) return { kind: 'taken' };
  const { accountId, depositId } = payment;
  const ofDeposit = { environment, accountId, depositId };
  if ((await em.count(DisputeEntity, ofDeposit)) > 0) return { kind: 'taken' };
  const isSent =
    !isNamed && ((await em.count(RefundEntity, ofDeposit)) > 0 || (await em.count(OrphanReceiptEntity, key)) > 0);
  return isSent ? { kind: 'taken' } : { kind: 'unconfirmed', cause: 'money went back that nobody here has sent' };
}
