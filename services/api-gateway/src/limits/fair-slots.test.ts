import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { FairSlots } from '#src/limits/fair-slots.ts';

const limit = 40;

function fill(slots: FairSlots, holder: string): number {
  let taken = 0;
  for (; slots.admits(holder); taken++) slots.take(holder);
  return taken;
}

test('one holder may have all, and is refused beyond', () => {
  const slots = new FairSlots(() => limit);
  expect(fill(slots, 'one')).toBe(limit);
  expect(() => slots.take('one')).toThrow(DomainError);
  slots.giveBack('one');
  expect(slots.admits('one')).toBe(true);
});

test('while one holder has all, another gets in, and the first is refused until both have as much', () => {
  const slots = new FairSlots(() => limit);
  fill(slots, 'busy');
  expect(fill(slots, 'other')).toBe(limit / 4);
  let [busy, other] = [limit, limit / 4];
  for (; busy > limit / 2; busy--) {
    slots.giveBack('busy');
    if (slots.underWay >= limit) expect(slots.admits('busy')).toBe(false);
    if (slots.admits('other')) other += fill(slots, 'other');
  }
  expect(other).toBeGreaterThanOrEqual(limit / 2);
});

test('in whatever order holders come and go, no more than a quarter beyond the limit is under way, and what was given back is forgotten', () => {
  const steps = fc.array(fc.record({ holder: fc.integer({ min: 0, max: 60 }), takes: fc.boolean() }), {
    maxLength: 1_000,
  });
  fc.assert(
    fc.property(steps, (given) => {
      const slots = new FairSlots(() => limit);
      const taken: string[] = [];
      for (const { holder, takes } of given) {
        if (!takes) {
          const [last] = taken.splice(holder % Math.max(1, taken.length), 1);
          if (last !== undefined) slots.giveBack(last);
        } else if (slots.admits(String(holder))) {
          slots.take(String(holder));
          taken.push(String(holder));
        }
        expect(slots.underWay).toBe(taken.length);
        expect(slots.underWay).toBeLessThanOrEqual(limit * 1.25);
      }
      for (const holder of taken) slots.giveBack(holder);
      expect(fill(slots, 'one')).toBe(limit);
    }),
  );
});
