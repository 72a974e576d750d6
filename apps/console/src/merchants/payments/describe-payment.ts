import type { TimelineEvent } from '#src/generated/types.gen.ts';
import type { Deposit, LedgerEntry, Refund } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import { inOrder, ledgerEvent, stateEvent } from '#src/merchants/history/events.ts';
import type { MerchantTexts } from '#src/texts/merchants-en.ts';
import { fromUnix } from '#src/texts/time.ts';

/** What a payment's state means for its reader. That it was called off, or not paid in time, is no fault. */
export const toneOf: Readonly<Record<Deposit['status'], Tone>> = {
  PENDING: 'wait',
  PAID: 'good',
  EXPIRED: 'neutral',
  REFUNDED: 'info',
  FAILED: 'neutral',
};

/** What a refund's state means for its reader. */
export const refundToneOf: Readonly<Record<Refund['status'], Tone>> = {
  PROCESSING: 'wait',
  DONE: 'good',
  FAILED: 'bad',
};

interface Known {
  readonly deposit: Deposit;
  readonly refunds: readonly Refund[];
  readonly entries: readonly LedgerEntry[];
}

/** What happened to a payment, oldest first, as its record, its refunds and its entries say. */
export function timelineOf({ deposit, refunds, entries }: Known, texts: MerchantTexts): TimelineEvent[] {
  const { events } = texts.payments;
  const expired = fromUnix(deposit.expires_at).toISOString();
  return inOrder([
    stateEvent(fromUnix(deposit.created_at).toISOString(), events.created),
    ...(deposit.status === 'EXPIRED' ? [stateEvent(expired, events.expired)] : []),
    ...(deposit.paid_at === undefined ? [] : [stateEvent(deposit.paid_at, events.paid)]),
    ...refunds.map((refund) => begunOf(refund, texts)),
    ...refunds.flatMap((refund) => endOf(refund, texts)),
    ...entries.map((entry) => ledgerEvent(entry, texts)),
  ]);
}

/** What happened to a refund, oldest first, as its record and its entries say. */
export function refundTimelineOf(
  refund: Refund,
  entries: readonly LedgerEntry[],
  texts: MerchantTexts,
): TimelineEvent[] {
  const booked = entries.map((entry) => ledgerEvent(entry, texts));
  return inOrder([begunOf(refund, texts), ...booked, ...endOf(refund, texts)]);
}

function begunOf({ created_at: at }: Refund, { payments: { events } }: MerchantTexts): TimelineEvent {
  return stateEvent(fromUnix(at).toISOString(), events.refundBegun);
}

function endOf({ finished_at: at, status }: Refund, { payments: { events } }: MerchantTexts): TimelineEvent[] {
  return at === null ? [] : [stateEvent(at, events.refundEnded[status])];
}
