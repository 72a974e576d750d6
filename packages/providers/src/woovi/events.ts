import { z } from 'zod';
import { movedCentsSchema } from '#src/amount-text.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import { receiptOf } from '#src/woovi/charges.ts';
import { eventOfDispute } from '#src/woovi/disputes.ts';
import { reasonOf } from '#src/woovi/payouts.ts';
import {
  disputeReplySchema,
  e2eIdSchema,
  instantSchema,
  partySchema,
  paymentReplySchema,
  paymentReversalSchema,
  refundNoticeSchema,
  type WooviReversal,
  type WooviTransaction,
} from '#src/woovi/wire.ts';

/** `evento` of the notification that tests an address. */
export const probeName = 'teste_webhook';

const chargeOfEventSchema = z.object({ correlationID: z.string().min(1).max(255) });

const paymentReceivedSchema = z.object({
  charge: chargeOfEventSchema,
  pix: z.object({
    value: movedCentsSchema,
    time: instantSchema,
    endToEndId: e2eIdSchema.optional(),
    /** Older notifications have the id only in the copy of the bank's own. */
    raw: z.object({ endToEndId: e2eIdSchema }).nullish(),
    payer: partySchema.nullish(),
  }),
});

const chargeExpiredSchema = z.object({
  charge: chargeOfEventSchema.extend({ updatedAt: instantSchema.optional() }),
});

const paymentRemovedSchema = z.object({ payment: chargeOfEventSchema });

/** The Pix is the return itself; `refunds` names the ones that were asked for. */
const refundReceivedSchema = z.object({
  pix: z.object({ endToEndId: e2eIdSchema, time: instantSchema }),
  refunds: z.array(refundNoticeSchema),
});

const payoutReturnSchema = z.object({
  payment: paymentReversalSchema.shape.payment,
  pix: paymentReversalSchema.omit({ payment: true }),
});

export interface NotificationContent {
  readonly event: string;
  readonly body: unknown;
  readonly now: Date;
}

type EventReader = (providerId: string, content: NotificationContent) => ProviderEvent | null;

/** One kind of event per notification; those that are not here are of no consequence to the gateway. */
const readers: ReadonlyMap<string, EventReader> = new Map(
  Object.entries({
    'OPENPIX:CHARGE_COMPLETED': chargePaid,
    'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER': chargePaid,
    'OPENPIX:TRANSACTION_RECEIVED': chargePaid,
    'OPENPIX:CHARGE_EXPIRED': chargeExpired,
    'OPENPIX:MOVEMENT_CONFIRMED': payoutPaid,
    'OPENPIX:MOVEMENT_FAILED': payoutFailed,
    'OPENPIX:MOVEMENT_REMOVED': payoutRemoved,
    'OPENPIX:TRANSACTION_REFUND_RECEIVED': refundEnded,
    PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: payoutReturned,
    PIX_TRANSACTION_REFUND_SENT_CONFIRMED: refundEnded,
    PIX_TRANSACTION_REFUND_SENT_REJECTED: refundEnded,
    'OPENPIX:DISPUTE_CREATED': dispute,
    'OPENPIX:DISPUTE_ACCEPTED': dispute,
    'OPENPIX:DISPUTE_REJECTED': dispute,
    'OPENPIX:DISPUTE_CANCELED': dispute,
  } satisfies Record<string, EventReader>),
);

/** What the gateway has Woovi notify it of; each needs a registration of its own. */
export const notifiedEvents: readonly string[] = [
  'OPENPIX:CHARGE_COMPLETED',
  'OPENPIX:CHARGE_EXPIRED',
  'OPENPIX:MOVEMENT_CONFIRMED',
  'OPENPIX:MOVEMENT_FAILED',
  'OPENPIX:MOVEMENT_REMOVED',
  'OPENPIX:TRANSACTION_REFUND_RECEIVED',
  'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
  'OPENPIX:DISPUTE_CREATED',
  'OPENPIX:DISPUTE_ACCEPTED',
  'OPENPIX:DISPUTE_REJECTED',
  'OPENPIX:DISPUTE_CANCELED',
];

/** The event in a signed body; null for kinds without consequence and for bodies that do not fit their kind. */
export function eventOfNotification(providerId: string, content: NotificationContent): ProviderEvent | null {
  return readers.get(content.event)?.(providerId, content) ?? null;
}

function chargePaid(providerId: string, { body }: NotificationContent): ProviderEvent | null {
  const parsed = paymentReceivedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { charge, pix } = parsed.data;
  const endToEndId = pix.endToEndId ?? pix.raw?.endToEndId;
  if (endToEndId === undefined) return null;
  return eventOfTransaction(providerId, { transaction: { ...pix, endToEndId, charge }, raw: body });
}

/** A payment on a charge, from a notification or from the list; null for one that belongs to no charge. */
export function eventOfTransaction(
  providerId: string,
  { transaction, raw }: { readonly transaction: WooviTransaction; readonly raw: unknown },
): ProviderEvent | null {
  if (!transaction.charge) return null;
  const { e2eId, money, paidAt: at, payer } = receiptOf(transaction);
  const dedupeKey = `${providerId}:pix:${e2eId}`;
  return { type: 'charge.paid', dedupeKey, at, raw, ref: transaction.charge.correlationID, e2eId, money, payer };
}

function chargeExpired(providerId: string, { body, now }: NotificationContent): ProviderEvent | null {
  const parsed = chargeExpiredSchema.safeParse(body);
  if (!parsed.success) return null;
  const { correlationID: ref, updatedAt = now } = parsed.data.charge;
  return { type: 'charge.expired', dedupeKey: `${providerId}:charge.expired:${ref}`, at: updatedAt, raw: body, ref };
}

function payoutPaid(providerId: string, { body, now }: NotificationContent): ProviderEvent | null {
  const parsed = paymentReplySchema.safeParse(body);
  const e2eId = parsed.data?.transaction?.endToEndId;
  if (!parsed.success || !e2eId) return null;
  const { correlationID: ref } = parsed.data.payment;
  const at = parsed.data.transaction?.time ?? now;
  return { type: 'payout.paid', dedupeKey: `${providerId}:payment:${ref}:CONFIRMED`, at, raw: body, ref, e2eId };
}

function payoutFailed(providerId: string, { body, now }: NotificationContent): ProviderEvent | null {
  const parsed = paymentReplySchema.safeParse(body);
  if (!parsed.success) return null;
  const { correlationID: ref } = parsed.data.payment;
  const at = parsed.data.transaction?.time ?? now;
  const dedupeKey = `${providerId}:payment:${ref}:FAILED`;
  return { type: 'payout.failed', dedupeKey, at, raw: body, ref, ...reasonOf(parsed.data) };
}

function payoutRemoved(providerId: string, { body, now }: NotificationContent): ProviderEvent | null {
  const parsed = paymentRemovedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { correlationID: ref } = parsed.data.payment;
  const facts = { dedupeKey: `${providerId}:payment:${ref}:REMOVED`, at: now, raw: body };
  return {
    type: 'payout.failed',
    ...facts,
    ref,
    code: 'unspecified',
    message: 'the payment was removed at the provider',
  };
}

function payoutReturned(providerId: string, { body }: NotificationContent): ProviderEvent | null {
  const parsed = payoutReturnSchema.safeParse(body);
  if (!parsed.success) return null;
  const { payment, pix } = parsed.data;
  return eventOfReversal(providerId, { reversal: { ...pix, payment }, raw: body });
}

/** A part of a payout that came back, from a notification or from the list. */
export function eventOfReversal(
  providerId: string,
  { reversal, raw }: { readonly reversal: WooviReversal; readonly raw: unknown },
): ProviderEvent {
  const { endToEndId: returnId, value: amount, time: at, payment } = reversal;
  const ref = payment.correlationID;
  const dedupeKey = `${providerId}:payment:${ref}:${returnId}`;
  return { type: 'payout.returned', dedupeKey, at, raw, ref, money: { currency: 'BRL', amount }, returnId };
}

function refundEnded(providerId: string, { body }: NotificationContent): ProviderEvent | null {
  const parsed = refundReceivedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { pix, refunds } = parsed.data;
  const ended = refunds.find(({ endToEndId }) => endToEndId === pix.endToEndId);
  if (!ended || ended.status === 'IN_PROCESSING') return null;
  const { correlationID: ref, status } = ended;
  const facts = { dedupeKey: `${providerId}:refund:${ref}:${status}`, at: pix.time, raw: body, ref };
  if (status === 'CONFIRMED') return { type: 'refund.done', ...facts, returnId: pix.endToEndId };
  return { type: 'refund.failed', ...facts, code: 'unspecified', message: 'the refund was rejected' };
}

function dispute(providerId: string, { body, now }: NotificationContent): ProviderEvent | null {
  const parsed = disputeReplySchema.safeParse(body);
  return parsed.success ? eventOfDispute(providerId, { dispute: parsed.data.dispute, raw: body, now }) : null;
}
