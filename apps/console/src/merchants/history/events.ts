import type { LedgerEntry } from '#src/generated/merchants/types.gen.ts';
import type { TimelineEvent } from '#src/generated/types.gen.ts';
import type { MerchantTexts } from '#src/texts/merchants-en.ts';
import { fromUnix } from '#src/texts/time.ts';

const nothingMore = { id: null, amount_cents: null, currency: null, by: null };

/** A change of a record's state. */
export function stateEvent(at: string, what: string): TimelineEvent {
  return { at, kind: 'state', what, ...nothingMore };
}

/** A movement of the balance. */
export function ledgerEvent({ id, type, amount, currency, created_at: at }: LedgerEntry, texts: MerchantTexts) {
  const what = texts.entries[type];
  const event: TimelineEvent = { at: fromUnix(at).toISOString(), kind: 'ledger', what, ...nothingMore };
  return { ...event, id, amount_cents: amount, currency };
}

/** Oldest first. Entries know their second alone: what happened in the same one stays in the order in which it is given. */
export function inOrder(events: readonly TimelineEvent[]): TimelineEvent[] {
  return [...events].sort((one, other) => secondOf(one) - secondOf(other));
}

function secondOf({ at }: TimelineEvent): number {
  return Math.floor(Date.parse(at) / 1_000);
}
