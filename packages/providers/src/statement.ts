import type { FeedRow, FeedSource } from '@gateway/contracts/providers';
import type { RailCurrency } from '@gateway/money';
import type { UnreadableItem } from '#src/feeds.ts';

/**
 * What a line of a statement is about:
 *
 * - `payment`: arrived on a charge
 * - `refund`: sent back by us
 * - `payout`: sent out by us
 * - `return`: a payout, or a part of one, that came back
 * - `med_return`: taken back under MED; `overturn`: given back because that was wrong
 * - `fee`: the provider's own price, or its refund
 * - `own_transfer`: the operator's own money, in or out
 * - `other`: the statement does not say
 */
export type StatementLineKind =
  'payment' | 'refund' | 'payout' | 'return' | 'med_return' | 'overturn' | 'fee' | 'own_transfer' | 'other';

/** A movement on our account as the provider lists it, the same for all providers. */
export interface StatementLine {
  /** Names the line at its provider; two lines of one content have two keys. */
  readonly lineKey: string;
  readonly bookedAt: Date;
  /** The day it counts for, in the provider's zone: `2026-11-22`. */
  readonly valueDate: string;
  /** Minor units; negative where money left the account. */
  readonly amount: number;
  readonly currency: RailCurrency;
  readonly kind: StatementLineKind;
  /** The rail's id of the payment that moved, or that the movement belongs to. */
  readonly e2eId: string | null;
  /** What the provider itself calls the operation, where it names one. */
  readonly transferId: string | null;
  /** The rail's id of what went back. */
  readonly returnId: string | null;
  /** The reference that we gave the operation. */
  readonly ourRef: string | null;
  /** Name, document or account of the other side, whichever the provider gives. */
  readonly counterparty: string | null;
  readonly text: string | null;
}

export type StatementItem =
  | { readonly kind: 'line'; readonly line: StatementLine }
  /** No movement: it is under way, or was not carried out. */
  | { readonly kind: 'nothing' }
  | UnreadableItem;

/** The account's movements as the provider lists them, read over our own connection. */
export interface StatementFeed extends FeedSource {
  readonly name: 'statement';
  /** What a stored row says. Pure: the same row reads the same on every day. */
  read(row: FeedRow): StatementItem;
}

/**
 * What a provider's statement holds: every movement of the account; payments and returns alone, so that the rest has to
 * come by file; or nothing.
 */
export type StatementScope = 'account' | 'settled' | 'none';

const dayMs = 86_400_000;

/** Brazil and Mexico's centre have had no daylight saving time since 2019 and 2022. */
const zoneOffsetMs = { BRL: -3 * 3_600_000, MXN: -6 * 3_600_000 } as const satisfies Record<RailCurrency, number>;

/** The day of a moment where the currency is at home. */
function localDay(at: Date, currency: RailCurrency): string {
  return new Date(at.getTime() + zoneOffsetMs[currency]).toISOString().slice(0, 10);
}

/** Days that begin within a window, where the currency is at home. */
export function daysBeginningIn(from: Date, to: Date, currency: RailCurrency): string[] {
  const offsetMs = zoneOffsetMs[currency];
  const days: string[] = [];
  const first = Math.ceil((from.getTime() + offsetMs) / dayMs) * dayMs;
  for (let midnight = first; midnight < to.getTime() + offsetMs; midnight += dayMs) {
    days.push(new Date(midnight).toISOString().slice(0, 10));
  }
  return days;
}

type LineParts = Pick<StatementLine, 'lineKey' | 'bookedAt' | 'amount' | 'kind' | 'currency'> &
  Partial<Pick<StatementLine, 'e2eId' | 'transferId' | 'returnId' | 'ourRef' | 'counterparty' | 'text'>>;

/** A line from what the provider names; what it leaves out is null. */
export function lineItem({
  e2eId,
  transferId,
  returnId,
  ourRef,
  counterparty,
  text,
  ...line
}: LineParts): StatementItem {
  return {
    kind: 'line',
    line: {
      ...line,
      valueDate: localDay(line.bookedAt, line.currency),
      e2eId: e2eId ?? null,
      transferId: transferId ?? null,
      returnId: returnId ?? null,
      ourRef: ourRef ?? null,
      counterparty: counterparty ?? null,
      text: text ?? null,
    },
  };
}

export const noLine: StatementItem = { kind: 'nothing' };
