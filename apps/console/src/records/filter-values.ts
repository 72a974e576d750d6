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
  /** A day in the zone of the reader; the last Unix second of it. */
  | 'untilDay';

const ends = { fromDay: 'T00:00:00', untilDay: 'T23:59:59' } as const;

/** What the address has of what was typed; undefined where it is no filter. */
export function storedOf(kind: FilterKind, typed: string, currency: Currency): string | number | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (kind === 'text') return text;
  if (kind === 'amount') return typedMinorUnits(text, currency);
  const time = new Date(`${text}${ends[kind]}`).getTime();
  return Number.isNaN(time) ? undefined : Math.floor(time / 1_000);
}

/** As it is typed what the address has. */
export function typedOf(kind: FilterKind, stored: unknown, currency: Currency): string {
  if (typeof stored !== 'string' && typeof stored !== 'number') return '';
  if (kind === 'text') return String(stored);
  const value = Number(stored);
  if (!Number.isSafeInteger(value)) return '';
  if (kind === 'amount') return decimalText(value, exponents[currency]);
  return toLocalMinute(new Date(value * 1_000)).slice(0, 'YYYY-MM-DD'.length);
}
