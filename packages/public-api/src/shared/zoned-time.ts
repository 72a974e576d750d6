const msPerDay = 86_400_000;
const msPerMinute = 60_000;

export const zoneDefault = 'America/Sao_Paulo';

/** The clock of a time zone (IANA): the dates of moments, and the moments at which dates begin. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  /** @throws RangeError when there is no such zone */
  constructor(zone: string) {
    const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', ...digits });
  }

  /** ISO 8601 with milliseconds and the zone's offset at that moment: `2026-11-20T09:00:05.120-03:00`. */
  isoTime(atMs: number): string {
    const offsetMs = this.#offsetMs(atMs);
    const local = new Date(atMs + offsetMs).toISOString().slice(0, -1);
    const minutes = Math.abs(offsetMs) / msPerMinute;
    return `${local}${offsetMs < 0 ? '-' : '+'}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`;
  }

  /** `2026-11-20` */
  dateOf(atMs: number): string {
    return new Date(atMs + this.#offsetMs(atMs)).toISOString().slice(0, 10);
  }

  /**
   * The first moment of a date. Where a clock is put forward at midnight, a date begins at one; a date that a zone has left
   * out, to change its side of the date line, begins and ends where the next one begins.
   */
  beginOf(date: string): number {
    const utcMs = Date.parse(`${date}T00:00:00Z`);
    const offsets = [this.#offsetMs(utcMs - msPerDay), this.#offsetMs(utcMs + msPerDay)];
    const candidates = offsets.map((offsetMs) => utcMs - offsetMs).filter((atMs) => this.dateOf(atMs) === date);
    return candidates.length === 0 ? utcMs - Math.min(...offsets) : Math.min(...candidates);
  }

  /** The first moment of the date after. */
  endOf(date: string): number {
    return this.beginOf(new Date(Date.parse(`${date}T00:00:00Z`) + msPerDay).toISOString().slice(0, 10));
  }

  /** Local time − UTC, in milliseconds. */
  #offsetMs(atMs: number): number {
    const parts = this.#format.formatToParts(atMs);
    const at = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
    const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
    return local - Math.floor(atMs / 1_000) * 1_000;
  }
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
