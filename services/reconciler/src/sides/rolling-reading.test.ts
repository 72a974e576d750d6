import { expect, test } from 'vitest';
import { idSequence } from '@gateway/money';
import { behindPage, boundsOf, nextReading, type RollingReading } from '#src/sides/rolling-reading.ts';

const lists = 2;
type Reading = RollingReading<string>;

const idAt = (at: string) => idSequence('deposit')(Date.parse(at));
const begin = (from: Reading | null, at: string) =>
  nextReading(from, { lists, since: new Date(at), now: new Date(at) });

/** Reads a night whole, and says which of the records were read; those of a list, which both are the same. */
function readNight(from: Reading | null, at: string, ids: readonly string[]): { read: string[]; place: Reading } {
  let place = begin(from, at)!;
  const read: string[] = [];
  while (place.list < lists) {
    const { from: first = '', below = '~' } = boundsOf(place, 'deposit');
    const page = ids.filter((id) => id >= first && id < below);
    if (place.list === 0) read.push(...page);
    place = behindPage(place, { lists, next: null, ids: page });
  }
  return { read, place };
}

test('a night reads what is recent and one older month, and so many nights as there are older months have read all', () => {
  const months = Array.from({ length: 24 }, (_, index) => idAt(new Date(Date.UTC(2026, index, 15)).toISOString()));
  let { read, place } = readNight(null, '2027-12-01T06:00:00Z', months);
  expect(read).toEqual(months);
  const seen = new Set<string>();
  for (let night = 0; night < 22; night += 1) {
    ({ read, place } = readNight(place, new Date(Date.UTC(2027, 11, night + 2, 6)).toISOString(), months));
    expect(read).toHaveLength(3);
    expect(read.slice(0, 2)).toEqual(months.slice(-2));
    read.forEach((id) => seen.add(id));
  }
  expect(seen.size).toBe(24);
});

test('the oldest month has what was made before it was the oldest, and years of no records make no nights', () => {
  const ids = [idAt('2026-03-10T00:00:00Z'), idAt('2026-06-10T00:00:00Z')];
  const first = readNight(null, '2026-06-20T06:00:00Z', ids).place;
  const forged = idAt('1999-01-01T00:00:00Z');
  const { read, place } = readNight(first, '2026-06-21T06:00:00Z', [forged, ...ids]);
  expect(read).toEqual([ids[1], forged, ids[0]]);
  expect(place).toMatchObject({ oldest: '2026-01' });
});

test('a record that has no id like the others is read, and ends no reading', () => {
  const { read, place } = readNight(null, '2026-06-20T06:00:00Z', ['dep_', 'no id', idAt('2026-06-01T00:00:00Z')]);
  expect(read).toHaveLength(3);
  expect(place).toMatchObject({ list: lists, oldest: '2026-06' });
});

test('a reading that an earlier version has begun ends, and the one after it reads everything', () => {
  const ended = behindPage<string>(
    { began: '2026-06-20T06:00:00.000Z', list: 1, after: null },
    { lists, next: null, ids: [] },
  );
  expect(begin(ended, '2026-06-20T05:00:00Z')).toBeNull();
  expect(begin(ended, '2026-06-21T06:00:00Z')).toMatchObject({ part: 'all', list: 0 });
});

test('of no records the next reading is one of what is recent', () => {
  const { place } = readNight(null, '2026-06-20T06:00:00Z', []);
  const next = begin(place, '2026-06-21T06:00:00Z')!;
  expect(next).toMatchObject({ part: 'recent', month: null });
  expect(boundsOf(next, 'payout').from?.startsWith('pyt_')).toBe(true);
});
