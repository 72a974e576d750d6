import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { FairSlots } from '#src/limits/fair-slots.ts';

const limit = 40;

/** @returns what gives back all that the holder could take */
function fill(slots: FairSlots, holder: string): (() => void)[] {
  const taken: (() => void)[] = [];
  while (slots.admits(holder)) taken.push(slots.take(holder));
  return taken;
}

test('one holder may have all, and is refused beyond', () => {
  const slots = new FairSlots(() => limit);
  const taken = fill(slots, 'one');
  expect(taken).toHaveLength(limit);
  expect(() => slots.take('one')).toThrow(DomainError);
  taken.pop()?.();
  expect(slots.admits('one')).toBe(true);
});

test('while one holder has all, another gets in, and the first is refused until both have as much', () => {
  const slots = new FairSlots(() => limit);
  const busy = fill(slots, 'busy');
  const other = fill(slots, 'other');
  expect(other).toHaveLength(limit / 4);
  while (busy.length > limit / 2) {
    busy.pop()?.();
    if (slots.underWay >= limit) expect(slots.admits('busy')).toBe(false);
    if (slots.admits('other')) other.push(...fill(slots, 'other'));
  }
  expect(other.length).toBeGreaterThanOrEqual(limit / 2);
});

test('another gets in although one holder has more than all, because the limit has fallen', () => {
  let falling = limit;
  const slots = new FairSlots(() => falling);
  const busy = fill(slots, 'busy');
  falling = limit / 2;
  expect(slots.admits('busy')).toBe(false);
  const other = fill(slots, 'other');
  expect(other).toHaveLength(Math.ceil(falling / 4));
  for (const giveBack of other) giveBack();
  expect(fill(slots, 'other')).toHaveLength(other.length);
  for (const giveBack of busy) giveBack();
  expect(slots.admits('busy')).toBe(true);
});

test('in whatever order holders come and go, no more than a quarter beyond the limit is under way, and what was given back is forgotten', () => {
  const steps = fc.array(fc.record({ holder: fc.integer({ min: 0, max: 60 }), takes: fc.boolean() }), {
    maxLength: 1_000,
  });
  fc.assert(
    fc.property(steps, (given) => {
      const slots = new FairSlots(() => limit);
      const taken: (() => void)[] = [];
      for (const { holder, takes } of given) {
        if (!takes) {
          const [one] = taken.splice(holder % Math.max(1, taken.length), 1);
          one?.();
        } else if (slots.admits(String(holder))) {
          taken.push(slots.take(String(holder)));
        }
        expect(slots.underWay).toBe(taken.length);
        expect(slots.underWay).toBeLessThanOrEqual(limit * 1.25);
      }
      for (const giveBack of taken) giveBack();
      expect(fill(slots, 'one')).toHaveLength(limit);
    }),
  );
});
