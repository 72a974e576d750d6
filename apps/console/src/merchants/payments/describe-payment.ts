import type { TimelineEvent } from '#src/generated/types.gen.ts';
import type { Deposit, LedgerEntry, Refund } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import type { MerchantTexts } from '#src/texts/merchants-en.ts';
import { fromUnix } from '#src/texts/time.ts';

/** What a payment's state means for its reader. That it was not paid in time is no fault. */
export const toneOf: Readonly<Record<Deposit['status'], Tone>> = {
  PENDING: 'wait',
  PAID: 'good',
  EXPIRED: 'neutral',
  REFUNDED: 'info',
  FAILED: 'bad',
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
  const state = (at: string, what: string): TimelineEvent => ({
    ...{ at, kind: 'state', what },
    ...{ id: null, amount_cents: null, currency: null, by: null },
  });
  const isOver = deposit.status === 'EXPIRED';
  const all = [
    state(fromUnix(deposit.created_at).toISOString(), events.created),
    ...(isOver ? [state(fromUnix(deposit.expires_at).toISOString(), events.expired)] : []),
    ...(deposit.paid_at === undefined ? [] : [state(deposit.paid_at, events.paid)]),
    ...refunds.map((refund) => state(fromUnix(refund.created_at).toISOString(), events.refundBegun)),
    ...refunds.flatMap(({ finished_at: at, status }) => (at === null ? [] : [state(at, events.refundEnded[status])])),
    ...entries.map(({ id, type, amount, currency, created_at: at }): TimelineEvent => ({
      ...{ at: fromUnix(at).toISOString(), kind: 'ledger', what: texts.entries[type] },
      ...{ id, amount_cents: amount, currency, by: null },
    })),
  ];
  // Entries know their second alone: what happened in the same one stays in the order above.
  return all.sort((one, other) => secondOf(one) - secondOf(other));
}

function secondOf({ at }: TimelineEvent): number {
  return Math.floor(Date.parse(at) / 1_000);
}
