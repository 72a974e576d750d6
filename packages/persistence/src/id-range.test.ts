import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idLowerBound, idSequence } from '@gateway/money';
import { idRange, idsWithin, type IdWindow } from '#src/id-range.ts';

const startMs = 1_800_000_000_000;
const newId = idSequence('deposit');
/** Two of the same millisecond, and some seconds around them. */
const records = [0, 0, 1, 500, 999, 1_000, 1_001, 2_000].map((afterMs) => ({
  id: newId(startMs + afterMs),
  atMs: startMs + afterMs,
}));
const moments = fc.integer({ min: -1, max: 2_001 }).map((afterMs) => (startMs + afterMs) / 1_000);

function pageOf(window: IdWindow) {
  const { $gte = '', $lt } = idRange('deposit', window);
  const found = records.map(({ id }) => id).filter((id) => id >= $gte && ($lt === undefined || id < $lt));
  return window.order === 'asc' ? found : found.reverse();
}

test('a period holds the records from its beginning on and before its end, to the millisecond', () => {
  fc.assert(
    fc.property(moments, moments, (from, to) => {
      const expected = records.filter(({ atMs }) => atMs >= from * 1_000 && atMs < to * 1_000).map(({ id }) => id);
      expect(pageOf({ from, to, order: 'asc' })).toEqual(expected);
    }),
  );
});

test('a cursor goes on behind its record, in either order and within the period', () => {
  const window = fc.record({
    from: fc.option(moments, { nil: undefined }),
    to: fc.option(moments, { nil: undefined }),
    order: fc.constantFrom('asc', 'desc', undefined),
  });
  fc.assert(
    fc.property(window, fc.nat(records.length), (asked, place) => {
      const whole = pageOf(asked);
      const cursor = whole[place];
      if (cursor !== undefined) expect(pageOf({ ...asked, cursor })).toEqual(whole.slice(place + 1));
    }),
  );
});

test('a list without bounds is asked for without a condition', () => {
  expect(idsWithin('deposit', { order: 'asc' })).toEqual({});
  expect(idsWithin('deposit', { from: 1 })).toEqual({ id: { $gte: idLowerBound('deposit', 1_000) } });
});
