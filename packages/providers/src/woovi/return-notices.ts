import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { NotificationContent } from '#src/woovi/notification-content.ts';
import { paymentReturnNoticeSchema, returnNoticeSchema, type WooviReturnNotice } from '#src/woovi/wire.ts';

/** `PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED`: a payment sent came back, unless its parties say otherwise. */
export function returnReceived(providerId: string, { body, receivedAt }: NotificationContent): ProviderEvent | null {
  const named = paymentReturnNoticeSchema.safeParse(body);
  if (named.success) {
    const { payment, pix } = named.data;
    const { endToEndId: returnId, value: amount, time: at } = pix;
    const facts = { dedupeKey: `${providerId}:return:${returnId}`, at, raw: body, ref: payment.correlationID };
    return { type: 'payout.returned', ...facts, money: { currency: 'BRL', amount }, returnId };
  }
  const notice = returnNoticeSchema.safeParse(body);
  if (!notice.success) return null;
  return eventOfReturn(providerId, { notice: notice.data, otherwise: 'received', raw: body, receivedAt });
}

/** `PIX_TRANSACTION_REFUND_SENT_CONFIRMED`: a payment received was sent back. */
export function returnSent(providerId: string, { body, receivedAt }: NotificationContent): ProviderEvent | null {
  const notice = returnNoticeSchema.safeParse(body);
  if (!notice.success) return null;
  return eventOfReturn(providerId, { notice: notice.data, otherwise: 'sent', raw: body, receivedAt });
}

/** `PIX_TRANSACTION_REFUND_SENT_REJECTED`: a payment received was to be sent back, and its bank did not take it. */
export function returnSentRejected(
  providerId: string,
  { body, receivedAt }: NotificationContent,
): ProviderEvent | null {
  const notice = returnNoticeSchema.safeParse(body);
  if (!notice.success) return null;
  const { refundTransaction, originalTransaction, error } = notice.data;
  const { endToEndId: returnId, time: at = receivedAt } = refundTransaction;
  const code = failureCodeOf(error);
  const facts = { dedupeKey: `${providerId}:return:${returnId}:REJECTED`, at, raw: body };
  const message = error ?? failureCodes[code].meaning;
  return { type: 'refund.failed', ...facts, e2eId: originalTransaction.endToEndId, code, message };
}

type Direction = 'sent' | 'received';

interface ReadReturn {
  readonly notice: WooviReturnNotice;
  /** Where neither the parties nor the payment say which way. */
  readonly otherwise: Direction;
  readonly raw: unknown;
  readonly receivedAt: Date;
}

/** Null for money that came back without an amount. */
function eventOfReturn(providerId: string, { notice, otherwise, raw, receivedAt }: ReadReturn): ProviderEvent | null {
  const { endToEndId: returnId, value: amount, time: at = receivedAt } = notice.refundTransaction;
  const { endToEndId: e2eId } = notice.originalTransaction;
  const facts = { dedupeKey: `${providerId}:return:${returnId}`, at, raw, e2eId, returnId };
  if ((directionOf(notice) ?? otherwise) === 'sent') return { type: 'refund.done', ...facts };
  if (amount === undefined) return null;
  return { type: 'payout.returned', ...facts, money: { currency: 'BRL', amount } };
}

/**
 * Whether our account sent the money back or got it back: the published example of the event for the latter shows the
 * former. Read from the parties, else from what was the payment at first; null where neither has it.
 */
function directionOf({ refundTransaction, originalTransaction, account }: WooviReturnNotice): Direction | null {
  const { debitParty, creditParty } = refundTransaction;
  if (account && debitParty?.account?.account === account.account) return 'sent';
  if (account && creditParty?.account?.account === account.account) return 'received';
  if (originalTransaction.type === 'PAYMENT') return 'sent';
  return originalTransaction.type === 'WITHDRAW' ? 'received' : null;
}
