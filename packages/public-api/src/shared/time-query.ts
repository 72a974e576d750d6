import { z } from 'zod';
import { ZoneClock, zoneDefault } from '#src/shared/zoned-time.ts';

/** A time as a query names it: a moment, or a date, whose moments depend on the zone. */
export type QueryTime = { readonly atMs: number } | { readonly date: string };

const timeMessage = 'must be a time: Unix seconds, ISO 8601 with a zone, or a date (YYYY-MM-DD)';
const unixSeconds = /^\d{1,11}$/;
/** A plus sign that was not escaped arrives as a space. */
const isoTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(Z|[+ -]\d{2}:?\d{2})$/i;

const zoneMessage = 'must be a time zone, such as America/Sao_Paulo';

/** The form of a time for descriptions; whether a month has a 31st day is for the check to say. */
const timePattern = String.raw`^(\d{1,11}|\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+ -]\d{2}:?\d{2}))?)$`;
const zonePattern = '^[A-Za-z][A-Za-z0-9_+/-]*$';
const zoneForm = new RegExp(zonePattern);

export const timeQuerySchema = z
  .string(timeMessage)
  .meta({ format: 'time-or-date', pattern: timePattern, examples: ['2026-01-02'] })
  .transform((text, context): QueryTime => {
    const time = readTime(text);
    if (time) return time;
    context.addIssue({ code: 'custom', message: timeMessage });
    return z.NEVER;
  })
  .describe('Unix seconds, ISO 8601 with a zone, or a date (YYYY-MM-DD) in `zone`');

export const zoneQuerySchema = z
  .string(zoneMessage)
  .max(64, zoneMessage)
  .refine(isZone, zoneMessage)
  .meta({ format: 'time-zone', pattern: zonePattern })
  .default(zoneDefault)
  .describe('the IANA time zone of dates');

/** A date in a body. */
export const dateSchema = z
  .string('must be a date (YYYY-MM-DD)')
  .refine(isDate, 'must be a date (YYYY-MM-DD)')
  .meta({ format: 'date', examples: ['2026-01-02'] });

function readTime(text: string): QueryTime | undefined {
  if (unixSeconds.test(text)) return { atMs: Number(text) * 1_000 };
  if (isDate(text)) return { date: text };
  const [, date = '', minutes = '', seconds = '00', zone = ''] = isoTime.exec(text) ?? [];
  if (!isDate(date)) return undefined;
  const offset = zone.replace(' ', '+').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const atMs = Date.parse(`${date}T${minutes}:${seconds}${offset.toUpperCase()}`);
  return Number.isNaN(atMs) || atMs < 0 ? undefined : { atMs };
}

/** A day of the calendar, from 1970 on. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return atMs > 0 && new Date(atMs).toISOString().startsWith(text);
}

/** No offset is one: in `+03:00` the sign is read the other way round by the database. */
function isZone(text: string): boolean {
  if (!zoneForm.test(text)) return false;
  try {
    return new ZoneClock(text) instanceof ZoneClock;
  } catch {
    return false;
  }
}

/** Members of a query that choose a period: `from` inclusive, `to` exclusive; as a date, `to` includes that day. */
export const periodQuery = {
  from: timeQuerySchema.optional().describe('inclusive: Unix seconds, ISO 8601 with a zone, or a date in `zone`'),
  to: timeQuerySchema
    .optional()
    .describe('exclusive: Unix seconds or ISO 8601 with a zone; as a date in `zone`, the day is included'),
  zone: zoneQuerySchema,
};

/** What clients of a list send that had Unix seconds alone: its description stays the same for them. */
const describedAsSeconds = {
  ...{ type: 'integer', minimum: 0, maximum: 99_999_999_999, 'x-unit': 'unix-seconds' },
  ...{ format: undefined, pattern: undefined },
} as const;
const otherForms = 'as well as ISO 8601 with a zone, or a date (YYYY-MM-DD) in `zone`';

/** A time as `timeQuerySchema` reads it, described as Unix seconds. */
export const secondsQuerySchema = timeQuerySchema.meta(describedAsSeconds);

/** A period as `periodQuery` reads it, described as Unix seconds. */
export const secondsPeriodQuery = {
  from: secondsQuerySchema.optional().describe(`inclusive: Unix seconds, ${otherForms}`),
  to: secondsQuerySchema.optional().describe(`exclusive: Unix seconds, ${otherForms}, whose day is included`),
  zone: zoneQuerySchema,
};

interface Period {
  readonly from?: QueryTime | undefined;
  readonly to?: QueryTime | undefined;
  readonly zone: string;
}

/** The period in Unix seconds, to the millisecond: from the first on and before the second. */
export function secondsOfPeriod({ from, to, zone }: Period): { from?: number; to?: number } {
  return {
    ...(from === undefined ? {} : { from: momentOf(from, (date) => new ZoneClock(zone).beginOf(date)) / 1_000 }),
    ...(to === undefined ? {} : { to: momentOf(to, (date) => new ZoneClock(zone).endOf(date)) / 1_000 }),
  };
}

/** The second at whose end a balance is asked for: the last one of a date. */
export function secondOf(time: QueryTime, zone: string): number {
  return Math.floor(momentOf(time, (date) => new ZoneClock(zone).endOf(date) - 1) / 1_000);
}

function momentOf(time: QueryTime, ofDate: (date: string) => number): number {
  return 'atMs' in time ? time.atMs : ofDate(time.date);
}
