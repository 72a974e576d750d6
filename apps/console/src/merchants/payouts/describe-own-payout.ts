import type { LedgerEntry, Payout, PayoutAnswer } from '#src/generated/merchants/types.gen.ts';
import type { TimelineEvent } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import { inOrder, ledgerEvent, stateEvent } from '#src/merchants/history/events.ts';
import type { MerchantTexts } from '#src/texts/merchants-en.ts';
import { fromUnix } from '#src/texts/time.ts';

/** A payout as its page reads it. */
export type OwnPayout = PayoutAnswer['payout'];

/** What a payout's state means for its reader. */
export const toneOf: Readonly<Record<Payout['status'], Tone>> = {
  PENDING: 'wait',
  PROCESSING: 'wait',
  PAID: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
};

/** What happened to a payout, oldest first, as its record and its entries say. */
export function timelineOf(payout: OwnPayout, entries: readonly LedgerEntry[], texts: MerchantTexts): TimelineEvent[] {
  const { events } = texts.payouts;
  return inOrder([
    stateEvent(fromUnix(payout.created_at).toISOString(), events.created),
    // What is paid was debited before.
    ...entries.map((entry) => ledgerEvent(entry, texts)),
    ...(payout.paid_at === null ? [] : [stateEvent(payout.paid_at, events.paid)]),
  ]);
}
