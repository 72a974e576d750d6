import type { Currency } from '#src/generated/types.gen.ts';
import { decimalText, exponents } from '#src/money/format-money.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { toLocalMinute } from '#src/texts/time.ts';

/** How a filter is typed, and what stands of it in the address. */
export type FilterKind =
  /** As it is. */
  | 'text'
  /** Money as people type it; an integer of the smallest unit. */
  | 'amount'
  /** A day in the zone of the reader; the Unix second in which it begins. */
  | 'fromDay'
  /** A day in the zone of the reader; the Unix second in which the next one begins, since a period ends before its `to`. */
  | 'untilDay';

const ends = { fromDay: { time: 'T00:00:00', addSec: 0 }, untilDay: { time: 'T23:59:59', addSec: 1 } } as const;

/** What the address has of what was typed; undefined where it is no filter. */
export function storedOf(kind: FilterKind, typed: string, currency: Currency): string | number | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (kind === 'text') return text;
  if (kind === 'amount') return typedMinorUnits(text, currency);
  const { time, addSec } = ends[kind];
  const at = new Date(`${text}${time}`).getTime();
  return Number.isNaN(at) ? undefined : Math.floor(at / 1_000) + addSec;
}

/** As it is typed what the address has. */
export function typedOf(kind: FilterKind, stored: unknown, currency: Currency): string {
  if (typeof stored !== 'string' && typeof stored !== 'number') return '';
  if (kind === 'text') return String(stored);
  const value = Number(stored);
  if (!Number.isSafeInteger(value)) return '';
  if (kind === 'amount') return decimalText(value, exponents[currency]);
  return toLocalMinute(new Date((value - ends[kind].addSec) * 1_000)).slice(0, 'YYYY-MM-DD'.length);
}

/** How many filters an address has: what it says besides the page of the list. */
export function countFilters(search: Readonly<Record<string, unknown>>): number {
  return Object.entries(search).filter(([name, value]) => name !== 'cursor' && value !== undefined).length;
}
