import { z } from 'zod';
import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import { movedCentsSchema } from '#src/wire-amounts.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import { receiptOf } from '#src/woovi/charges.ts';
import { eventOfDispute } from '#src/woovi/disputes.ts';
import type { EventReader, NotificationContent } from '#src/woovi/notification-content.ts';
import { reasonOf } from '#src/woovi/payouts.ts';
import { returnReceived, returnSent, returnSentRejected } from '#src/woovi/return-notices.ts';
import {
  disputeReplySchema,
  e2eIdSchema,
  instantSchema,
  partySchema,
  paymentNoticeSchema,
  refundNoticeSchema,
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
    endToEndId: e2eIdSchema.nullish(),
    /** Older notifications have the id only in the copy of the bank's own. */
    raw: z.object({ endToEndId: e2eIdSchema }).nullish().catch(undefined),
    payer: partySchema.nullish().catch(undefined),
  }),
});

const chargeExpiredSchema = z.object({
  charge: chargeOfEventSchema.extend({ updatedAt: instantSchema.nullish().catch(undefined) }),
});

const paymentRemovedSchema = z.object({ payment: chargeOfEventSchema });

/** The Pix is the return itself. `refunds` may name the ones that were asked for; as published, it is empty. */
const refundReceivedSchema = z.object({
  charge: chargeOfEventSchema.nullish().catch(undefined),
  pix: z.object({ endToEndId: e2eIdSchema, time: instantSchema }),
  refunds: z.array(refundNoticeSchema).catch([]),
});

/** One kind of event per notification; those that are not here are of no consequence to the gateway. */
const readers: ReadonlyMap<string, EventReader> = new Map(
  Object.entries({
    CHARGE_COMPLETED: chargePaid,
    CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER: chargePaid,
    TRANSACTION_RECEIVED: chargePaid,
    CHARGE_EXPIRED: chargeExpired,
    MOVEMENT_CONFIRMED: payoutPaid,
    MOVEMENT_FAILED: payoutFailed,
    MOVEMENT_REMOVED: payoutRemoved,
    TRANSACTION_REFUND_RECEIVED: refundEnded,
    PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: returnReceived,
    PIX_TRANSACTION_REFUND_SENT_CONFIRMED: returnSent,
    PIX_TRANSACTION_REFUND_SENT_REJECTED: returnSentRejected,
    DISPUTE_CREATED: dispute,
    DISPUTE_ACCEPTED: dispute,
    DISPUTE_REJECTED: dispute,
    DISPUTE_CANCELED: dispute,
  } satisfies Record<string, EventReader>),
);

/** What the gateway has Woovi notify it of, by the names registrations take; each needs one of its own. */
export const notifiedEvents: readonly string[] = [
  'OPENPIX:CHARGE_COMPLETED',
  'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER',
  'OPENPIX:CHARGE_EXPIRED',
  'OPENPIX:MOVEMENT_CONFIRMED',
  'OPENPIX:MOVEMENT_FAILED',
  'OPENPIX:MOVEMENT_REMOVED',
  'OPENPIX:TRANSACTION_REFUND_RECEIVED',
  'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
  'PIX_TRANSACTION_REFUND_SENT_CONFIRMED',
  'PIX_TRANSACTION_REFUND_SENT_REJECTED',
  'OPENPIX:DISPUTE_CREATED',
  'OPENPIX:DISPUTE_ACCEPTED',
  'OPENPIX:DISPUTE_REJECTED',
  'OPENPIX:DISPUTE_CANCELED',
];

/** `OPENPIX:` in the list of events, `woovi:` in some of the published bodies. */
export function withoutPrefix(event: string): string {
  return event.replace(/^(?:openpix|woovi):/i, '');
}

export type ReadNotification =
  | { readonly kind: 'event'; readonly event: ProviderEvent }
  /** A kind without consequence, or a payment that belongs to no charge. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unreadable' };

/** The event in a signed body. */
export function readNotification(providerId: string, content: NotificationContent): ReadNotification {
  const reader = readers.get(content.event);
  if (!reader || belongsToNothing(content)) return { kind: 'ignored' };
  const event = reader(providerId, content);
  return event ? { kind: 'event', event } : { kind: 'unreadable' };
}

/** A payment to the account itself: `charge` is there and null, or has nothing in it. */
function belongsToNothing({ event, body }: NotificationContent): boolean {
  if (readers.get(event) !== chargePaid || typeof body !== 'object' || body === null) return false;
  const charge = 'charge' in body ? body.charge : null;
  return charge === null || (typeof charge === 'object' && Object.keys(charge).length === 0);
}

function chargePaid(providerId: string, { body }: NotificationContent): ProviderEvent | null {
  const parsed = paymentReceivedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { charge, pix } = parsed.data;
  const endToEndId = pix.endToEndId ?? pix.raw?.endToEndId;
  if (endToEndId === undefined) return null;
  const { value, time, payer } = pix;
  const transaction = { value, time, endToEndId, charge, payer: payer ?? undefined };
  return eventOfTransaction(providerId, { transaction, raw: body });
}

type ReceivedTransaction = Pick<WooviTransaction, 'value' | 'time' | 'endToEndId' | 'charge' | 'payer'>;

/** A payment on a charge, from a notification or from the list; null for one that names no charge. */
export function eventOfTransaction(
  providerId: string,
  { transaction, raw }: { readonly transaction: ReceivedTransaction; readonly raw: unknown },
): ProviderEvent | null {
  const ref = transaction.charge?.correlationID;
  if (ref === undefined) return null;
  const { e2eId, money, paidAt: at, payer } = receiptOf(transaction);
  return { type: 'charge.paid', dedupeKey: `${providerId}:pix:${e2eId}`, at, raw, ref, e2eId, money, payer };
}

/** A part of a payout that came back, from the list; null for one that does not name it. */
export function eventOfReversal(
  providerId: string,
  { transaction, raw }: { readonly transaction: WooviTransaction; readonly raw: unknown },
): ProviderEvent | null {
  const { endToEndId: returnId, value: amount, time: at, withdraw, payment } = transaction;
  const e2eId = withdraw?.endToEndId ?? withdraw?.endToEndID;
  const ref = payment?.correlationID;
  if (e2eId === undefined && ref === undefined) return null;
  const named = { ...(ref === undefined ? {} : { ref }), ...(e2eId === undefined ? {} : { e2eId }) };
  const dedupeKey = `${providerId}:return:${returnId}`;
  return { type: 'payout.returned', dedupeKey, at, raw, ...named, money: { currency: 'BRL', amount }, returnId };
}

function chargeExpired(providerId: string, { body, receivedAt }: NotificationContent): ProviderEvent | null {
  const parsed = chargeExpiredSchema.safeParse(body);
  if (!parsed.success) return null;
  const { correlationID: ref, updatedAt } = parsed.data.charge;
  const dedupeKey = `${providerId}:charge.expired:${ref}`;
  return { type: 'charge.expired', dedupeKey, at: updatedAt ?? receivedAt, raw: body, ref };
}

function payoutPaid(providerId: string, { body, receivedAt }: NotificationContent): ProviderEvent | null {
  const parsed = paymentNoticeSchema.safeParse(body);
  const e2eId = parsed.data?.transaction?.endToEndId;
  if (!parsed.success || !e2eId) return null;
  const { correlationID: ref } = parsed.data.payment;
  const at = parsed.data.transaction?.time ?? receivedAt;
  return { type: 'payout.paid', dedupeKey: `${providerId}:payment:${ref}:CONFIRMED`, at, raw: body, ref, e2eId };
}

function payoutFailed(providerId: string, { body, receivedAt }: NotificationContent): ProviderEvent | null {
  const parsed = paymentNoticeSchema.safeParse(body);
  if (!parsed.success) return null;
  const { correlationID: ref } = parsed.data.payment;
  const at = parsed.data.transaction?.time ?? receivedAt;
  const dedupeKey = `${providerId}:payment:${ref}:FAILED`;
  return { type: 'payout.failed', dedupeKey, at, raw: body, ref, ...reasonOf(parsed.data) };
}

function payoutRemoved(providerId: string, { body, receivedAt: at }: NotificationContent): ProviderEvent | null {
  const parsed = paymentRemovedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { correlationID: ref } = parsed.data.payment;
  const facts = { dedupeKey: `${providerId}:payment:${ref}:REMOVED`, at, raw: body, ref };
  return { type: 'payout.failed', ...facts, code: 'unspecified', message: 'the payment was removed at the provider' };
}

function refundEnded(providerId: string, { body }: NotificationContent): ProviderEvent | null {
  const parsed = refundReceivedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { charge, pix, refunds } = parsed.data;
  const { endToEndId: returnId, time: at } = pix;
  const ended = refunds.find((refund) => refund.endToEndId === returnId);
  const ref = ended?.correlationID;
  const named = {
    ...(ref === undefined ? {} : { ref }),
    ...(charge ? { chargeRef: charge.correlationID } : {}),
  };
  if (!('ref' in named || 'chargeRef' in named)) return null;
  const dedupeKey = `${providerId}:return:${returnId}:${ended?.status ?? 'CONFIRMED'}`;
  if (ended?.status !== 'REJECTED') return { type: 'refund.done', dedupeKey, at, raw: body, ...named, returnId };
  const code = failureCodeOf(null);
  return { type: 'refund.failed', dedupeKey, at, raw: body, ...named, code, message: failureCodes[code].meaning };
}

function dispute(providerId: string, { body, receivedAt: learnedAt }: NotificationContent): ProviderEvent | null {
  const parsed = disputeReplySchema.safeParse(body);
  return parsed.success ? eventOfDispute(providerId, { dispute: parsed.data.dispute, raw: body, learnedAt }) : null;
}
