const secondMs = 1_000;
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time with its zone: what people write down has to be found again in a log. */
export function formatTime(at: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }).format(at);
}

/** `12:00:05`, where the day is known from what stands around it. */
export function formatClock(at: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(at);
}

/** `41 min`, `3 h`, `2 days`: the largest whole unit between two moments, at least a minute. */
export function formatAge(from: Date, to: Date, language: string): string {
  const seconds = Math.abs(to.getTime() - from.getTime()) / secondMs;
  const [unit, unitSec] = units.find(([, length]) => seconds >= length) ?? units[2];
  const count = Math.max(1, Math.floor(seconds / unitSec));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
}

/** Records count in Unix seconds. */
export function fromUnix(seconds: number): Date {
  return new Date(seconds * secondMs);
}

const dayForm = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;

/** A calendar day, `2026-01-02`, which is the same day for every reader. */
export function formatDay(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, dayForm).format(startOf(day));
}

/** Calendar days from the first to the last, which may be the same; a dash where one is not known. */
export function formatDays(first: string | null, last: string | null, language: string): string {
  if (first === null || last === null) return [first, last].map((day) => day ?? '–').join(' … ');
  return new Intl.DateTimeFormat(language, dayForm).formatRange(startOf(first), startOf(last));
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** A moment as `datetime-local` fields have it: in the zone of the reader, to the minute. */
export function toLocalMinute(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
