import { describe, expect, test } from 'vitest';
import { periodQuery, secondOf, secondsOfPeriod, timeQuerySchema, zoneQuerySchema } from '#src/shared/time-query.ts';
import { ZoneClock } from '#src/shared/zoned-time.ts';

const zone = 'America/Sao_Paulo';
const periodOf = (from: string, to: string, inZone = zone) =>
  secondsOfPeriod({ from: timeQuerySchema.parse(from), to: timeQuerySchema.parse(to), zone: inZone });
const utc = (iso: string) => Date.parse(iso) / 1_000;

describe('a time in a query', () => {
  test('is Unix seconds, ISO 8601 with a zone to the millisecond, or a date', () => {
    expect(timeQuerySchema.parse('1767340000')).toEqual({ atMs: 1_767_340_000_000 });
    expect(timeQuerySchema.parse('2026-11-20T09:00:05.120-03:00')).toEqual({
      atMs: Date.parse('2026-11-20T12:00:05.120Z'),
    });
    expect(timeQuerySchema.parse('2026-11-20T12:00Z')).toEqual({ atMs: Date.parse('2026-11-20T12:00:00Z') });
    expect(timeQuerySchema.parse('2026-11-20t12:00:00z')).toEqual({ atMs: Date.parse('2026-11-20T12:00:00Z') });
    expect(timeQuerySchema.parse('2026-11-20T12:00:00+0530')).toEqual({ atMs: Date.parse('2026-11-20T06:30:00Z') });
    expect(timeQuerySchema.parse('2026-02-28')).toEqual({ date: '2026-02-28' });
  });

  test('is read with a plus sign that the caller did not escape', () => {
    expect(timeQuerySchema.parse('2026-11-20T12:00:00 01:00')).toEqual({ atMs: Date.parse('2026-11-20T11:00:00Z') });
  });

  test.each([
    '',
    'x',
    '-1',
    '1.5',
    '123456789012',
    '2026-11-20T12:00:00',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
  ])('is not %j', (text) => {
    const { error } = timeQuerySchema.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be a time: Unix seconds, ISO 8601 with a zone, or a date (YYYY-MM-DD)',
    ]);
  });

  test.each(['2026-11-20T24:30:00Z', '2026-11-20T12:61:00Z', '1969-12-31', '1960-01-01T00:00:00Z'])(
    'nor %j',
    (text) => {
      expect(timeQuerySchema.safeParse(text).success).toBe(false);
    },
  );
});

test('a zone is one of the database of time zones, and that of São Paulo without one', () => {
  expect(zoneQuerySchema.parse(undefined)).toBe(zone);
  expect(zoneQuerySchema.parse('America/Mexico_City')).toBe('America/Mexico_City');
  const others = ['Mars/Olympus', '', 'x'.repeat(65), '+03:00', '-0300', '+03'];
  for (const text of others) expect(zoneQuerySchema.safeParse(text).success, text).toBe(false);
});

describe('a period', () => {
  test('of moments is from the first on and before the second', () => {
    expect(periodOf('1767340000', '2026-01-02T00:00:00.5Z')).toEqual({
      from: 1_767_340_000,
      to: utc('2026-01-02T00:00:00.5Z'),
    });
    expect(secondsOfPeriod({ zone })).toEqual({});
  });

  test('of dates is whole days of the zone, the last one included', () => {
    expect(periodOf('2026-11-20', '2026-11-20')).toEqual({
      from: utc('2026-11-20T03:00:00Z'),
      to: utc('2026-11-21T03:00:00Z'),
    });
    expect(periodOf('2026-11-20', '2026-11-20', 'UTC')).toEqual({
      from: utc('2026-11-20T00:00:00Z'),
      to: utc('2026-11-21T00:00:00Z'),
    });
  });

  test('of two adjacent dates has no gap and no overlap, also where the clock is changed at midnight', () => {
    // In 2018 São Paulo put its clock forward at midnight of 4 November, and back at that of 18 February.
    for (const [date, next] of [
      ['2018-11-03', '2018-11-04'],
      ['2018-11-04', '2018-11-05'],
      ['2018-02-17', '2018-02-18'],
      ['2026-12-31', '2027-01-01'],
    ] as const) {
      expect(periodOf(date, date).to).toBe(periodOf(next, next).from);
    }
    expect(periodOf('2018-11-04', '2018-11-04')).toEqual({
      from: utc('2018-11-04T03:00:00Z'),
      to: utc('2018-11-05T02:00:00Z'),
    });
    expect(periodOf('2018-02-17', '2018-02-17')).toEqual({
      from: utc('2018-02-17T02:00:00Z'),
      to: utc('2018-02-18T03:00:00Z'),
    });
  });

  test('is described in each of its members', () => {
    for (const member of Object.values(periodQuery)) expect(member.description).toBeTruthy();
  });
});

test('a balance at a date is that at the end of its last second', () => {
  expect(secondOf({ date: '2026-11-20' }, zone)).toBe(utc('2026-11-21T02:59:59Z'));
  expect(secondOf({ atMs: 1_500 }, zone)).toBe(1);
});

test('a moment is shown with the offset of its zone, and belongs to the date there', () => {
  const atMs = Date.parse('2026-11-21T02:59:59.999Z');
  expect(new ZoneClock(zone).isoTime(atMs)).toBe('2026-11-20T23:59:59.999-03:00');
  expect(new ZoneClock(zone).dateOf(atMs)).toBe('2026-11-20');
  expect(new ZoneClock('Asia/Kolkata').isoTime(atMs)).toBe('2026-11-21T08:29:59.999+05:30');
  expect(new ZoneClock('UTC').isoTime(0)).toBe('1970-01-01T00:00:00.000+00:00');
});

test('a date that a zone has left out is empty, and the one before it ends all the same', () => {
  const apia = new ZoneClock('Pacific/Apia');
  const skipped = Date.parse('2011-12-30T10:00:00Z');
  expect(apia.endOf('2011-12-29')).toBe(skipped);
  expect([apia.beginOf('2011-12-30'), apia.endOf('2011-12-30')]).toEqual([skipped, skipped]);
});
