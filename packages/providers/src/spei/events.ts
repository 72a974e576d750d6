import type { ProviderEvent } from '#src/notifications.ts';
import { receiptOf } from '#src/spei/charges.ts';
import { returnOf } from '#src/spei/payouts.ts';
import { reasonOf } from '#src/spei/connection.ts';
import {
  paymentSchema,
  refundSchema,
  transferReturnSchema,
  transferSchema,
  type SpeiNotification,
  type SpeiPayment,
  type SpeiReturn,
} from '#src/spei/wire.ts';

/** A payment on a charge, from a notification or from the list. */
export function eventOfPayment(providerId: string, payment: SpeiPayment, raw: unknown): ProviderEvent {
  const { e2eId, money, paidAt: at, payer } = receiptOf(payment);
  const facts = { dedupeKey: `${providerId}:payment:${e2eId}`, at, raw };
  return { type: 'charge.paid', ...facts, ref: payment.charge_reference, e2eId, money, ...(payer ? { payer } : {}) };
}

/** A part of a transfer that came back, from a notification or from the list. */
export function eventOfReturn(providerId: string, returned: SpeiReturn, raw: unknown): ProviderEvent {
  const { returnId, ...part } = returnOf(returned);
  const dedupeKey = `${providerId}:return:${returnId}`;
  return { type: 'payout.returned', dedupeKey, raw, ref: returned.transfer_reference, returnId, ...part };
}

/** What a signed notification reports; null for kinds without consequence and for contents that do not fit their kind. */
export function eventOfNotification(providerId: string, notification: SpeiNotification): ProviderEvent | null {
  const { type, data, created_at: at } = notification;
  switch (type) {
    case 'charge.payment_received': {
      const payment = paymentSchema.safeParse(data);
      return payment.success ? eventOfPayment(providerId, payment.data, notification) : null;
    }
    case 'transfer.settled':
    case 'transfer.failed':
      return eventOfTransfer(providerId, notification);
    case 'transfer.returned': {
      const returned = transferReturnSchema.safeParse(data);
      return returned.success ? eventOfReturn(providerId, returned.data, notification) : null;
    }
    case 'refund.settled':
    case 'refund.failed': {
      const refund = refundSchema.safeParse(data);
      if (!refund.success || refund.data.status === 'PROCESSING') return null;
      const { reference: ref, return_key: returnId, status, failure } = refund.data;
      const facts = { dedupeKey: `${providerId}:refund:${ref}:${status}`, at, raw: notification, ref };
      if (status === 'SETTLED') return { type: 'refund.done', ...facts, returnId };
      return { type: 'refund.failed', ...facts, ...reasonOf(failure) };
    }
    default:
      return null;
  }
}

function eventOfTransfer(providerId: string, notification: SpeiNotification): ProviderEvent | null {
  const transfer = transferSchema.safeParse(notification.data);
  if (!transfer.success || transfer.data.status === 'PROCESSING') return null;
  const { reference: ref, tracking_key: e2eId, status, settled_at: settledAt, failure } = transfer.data;
  const facts = {
    dedupeKey: `${providerId}:transfer:${ref}:${status}`,
    at: settledAt ?? notification.created_at,
    raw: notification,
    ref,
  };
  if (status === 'SETTLED') return { type: 'payout.paid', ...facts, e2eId };
  return { type: 'payout.failed', ...facts, ...reasonOf(failure) };
}
