import { expect, test } from 'vitest';
import { eventsOf, filters, kinds, pageOfRecord, secondsOf } from '#src/merchants/events/describe-event.ts';
import { events } from '#src/merchants/webhooks/describe-delivery.ts';
import { toLocalMinute } from '#src/texts/time.ts';

test('every event can be filtered by, by itself and with its kind', () => {
  expect(kinds.flatMap((kind) => eventsOf(kind)).toSorted()).toEqual(events.toSorted());
  expect(filters).toHaveLength(kinds.length + events.length);
});

test('an event leads to its record where there is a page of it', () => {
  expect(pageOfRecord('dep_01k9z3m4v6t8x0a2c4e6g8jk01')).toBe('/payments/$id');
  expect(pageOfRecord('med_01k9z3m4v6t8x0a2c4e6g8jk01')).toBe('/disputes/$id');
  expect(pageOfRecord('rfd_01k9z3m4v6t8x0a2c4e6g8jk01')).toBe('/refunds/$id');
  expect(pageOfRecord('exp_01k9z3m4v6t8x0a2c4e6g8jk01')).toBeUndefined();
});

test('a moment that a reader types is the one that is sent, to the minute', () => {
  const at = new Date(2026, 0, 2, 3, 4, 59);
  expect(toLocalMinute(at)).toBe('2026-01-02T03:04');
  expect(secondsOf(toLocalMinute(at))).toBe(new Date(2026, 0, 2, 3, 4).getTime() / 1_000);
  expect(secondsOf('')).toBeUndefined();
});
