import { type Currency, currencies, currencySchema } from '@gateway/money';
import { UnreadableStatement } from '#src/read/movement.ts';

/** Where a value stands, for the refusal that names it. */
export interface Place {
  readonly line: number;
  readonly field: string;
}

const refused = ({ line, field }: Place, reason: string) => new UnreadableStatement(line, field, reason);

interface DecimalStyle {
  /** `either` takes a point or a comma, whichever the text has as its only or last separator. */
  readonly decimal: '.' | ',' | 'either';
}

const decimals = {
  '.': /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/,
  ',': /^([+-]?)(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/,
} as const;

/** Digits of any amount, with its zeros in front; more is no amount and is not computed with. */
const amountCharactersMax = 40;

/**
 * A signed amount in minor units. Decimals beyond those of the currency have to be zeros, and `either` refuses what could
 * be read in two ways (`1.234`).
 *
 * @throws UnreadableStatement
 */
export function readAmount(text: string, currency: Currency, { decimal }: DecimalStyle, place: Place): number {
  const plain = text.trim();
  const point = decimal === 'either' ? (/[.,](?=[^.,]*$)/.exec(plain)?.[0] ?? '.') : decimal;
  const match = plain.length > amountCharactersMax ? null : decimals[point as '.' | ','].exec(plain);
  if (!match) throw refused(place, 'is no amount');
  const [, sign, units = '', fraction = ''] = match;
  const { exponent } = currencies[currency];
  if (/[^0]/.test(fraction.slice(exponent))) throw refused(place, `has more than ${exponent} decimals`);
  const digits = units.replaceAll(/[.,]/g, '') + fraction.slice(0, exponent).padEnd(exponent, '0');
  return safeAmount(`${sign === '-' ? '-' : ''}${digits}`, place);
}

/** @throws UnreadableStatement for more than can be counted exactly */
export function safeAmount(digits: string, place: Place): number {
  const amount = BigInt(digits);
  if (amount > BigInt(Number.MAX_SAFE_INTEGER) || -amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refused(place, 'is an amount beyond 2^53 minor units');
  }
  return Number(amount);
}

/** @throws UnreadableStatement for a currency that is not the expected one */
export function requireCurrency(text: string, expected: Currency, place: Place): void {
  const { data } = currencySchema.safeParse(text.trim());
  if (data !== expected) throw refused(place, `is ${JSON.stringify(text.slice(0, 10))}, and not ${expected}`);
}

export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
}

const midnight: Clock = { hour: 0, minute: 0, second: 0, ms: 0 };

/** What a file says about when: a day alone, a local time, or a moment. */
export interface When {
  readonly day: string;
  readonly atMs: number;
}

/** Days and moments of a time zone. */
export class LocalDays {
  readonly #day: Intl.DateTimeFormat;
  readonly #parts: Intl.DateTimeFormat;
  readonly #offsets = new Map<string, number>();

  constructor(timeZone: string) {
    const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    this.#day = new Intl.DateTimeFormat('en-CA', { timeZone, ...date });
    this.#parts = new Intl.DateTimeFormat('en-CA', { timeZone, ...date, ...time });
  }

  /** A day alone, or a local time of it. @throws UnreadableStatement for a day that is in no calendar */
  local(day: string, place: Place, clock: Clock = midnight): When {
    const atUtc = utcOf(day, clock, place);
    return { day, atMs: atUtc - this.#offset(day, atUtc) };
  }

  /** A moment that the file names with its offset. @throws UnreadableStatement */
  moment(day: string, clock: Clock, offsetMinutes: number, place: Place): When {
    if (Math.abs(offsetMinutes) > 14 * 60) throw refused(place, 'has an offset of more than 14 hours');
    const atMs = utcOf(day, clock, place) - offsetMinutes * 60_000;
    return { day: this.#day.format(atMs), atMs };
  }

  /** Local time less UTC; of a day with two, that at the given local time. */
  #offset(day: string, atUtc: number): number {
    const key = `${day}T${Math.floor(atUtc / 3_600_000)}`;
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    const guess = this.#offsetAt(atUtc);
    const offset = this.#offsetAt(atUtc - guess);
    if (this.#offsets.size > 10_000) this.#offsets.clear();
    this.#offsets.set(key, offset);
    return offset;
  }

  #offsetAt(atMs: number): number {
    const parts = Object.fromEntries(this.#parts.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1_000) * 1_000;
  }
}

function utcOf(day: string, { hour, minute, second, ms }: Clock, place: Place): number {
  const date = new Date(`${day}T00:00:00Z`);
  const isDay = /^20\d\d-/.test(day) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  if (!isDay) throw refused(place, 'is no day of this century');
  if (hour > 23 || minute > 59 || second > 59) throw refused(place, 'is no time of day');
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
}

const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/;

/** ISO 8601: a day, a local time, or a moment. @throws UnreadableStatement */
export function readIsoTime(text: string, days: LocalDays, place: Place): When {
  const match = isoTime.exec(text.trim());
  if (!match) throw refused(place, 'is no date');
  const [, day = '', hour, minute = '0', second = '0', fraction = '0', utc, sign, hours = '0', minutes = '0'] = match;
  if (hour === undefined) return days.local(day, place);
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second), ms };
  if (utc === undefined && sign === undefined) return days.local(day, place, clock);
  return days.moment(day, clock, (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), place);
}
