import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idLowerBound, idPrefixes, idSchema, idSequence, idTimeMs, isId, newId, type IdKind } from '#src/ids/id.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
const anyKind = fc.constantFrom(...kinds);
/** From the first millisecond a sequence can start at until the end of ULID time, in the year 10889. */
const times = fc.integer({ min: 1, max: 2 ** 48 - 1 });
const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

describe('an id', () => {
  test.each(kinds)('of a %s is its prefix and 26 characters of Crockford base 32 in lower case', (kind) => {
    const id = newId(kind);
    expect(id.startsWith(`${idPrefixes[kind]}_`)).toBe(true);
    const [, ulid = ''] = id.split('_');
    expect(ulid).toHaveLength(26);
    for (const character of ulid) expect(crockford).toContain(character);
    expect(idSchema(kind).parse(id)).toBe(id);
  });

  test('belongs to one kind: no two share a prefix, and no other kind takes it', () => {
    expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
    fc.assert(
      fc.property(anyKind, anyKind, (kind, other) => {
        expect(isId(other, newId(kind))).toBe(kind === other);
      }),
    );
  });

  test('made later sorts later, within one millisecond and when the clock steps back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 }), { minLength: 2 }),
        (clock) => {
          const ids = clock.map((atMs) => newId('deposit', atMs));
          expect(ids.toSorted()).toEqual(ids);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  test('is refused when a single character is off', () => {
    const positions = fc.integer({ min: 0, max: 29 });
    const strangers = fc.constantFrom('I', 'L', 'O', 'U', 'i', 'l', 'o', 'u', 'A', '-', ' ', '\n', 'é');
    fc.assert(
      fc.property(positions, strangers, (position, stranger) => {
        const id = newId('deposit');
        expect(isId('deposit', id.slice(0, position) + stranger + id.slice(position + 1))).toBe(false);
      }),
    );
    const id = newId('deposit');
    for (const text of ['', id.slice(0, -1), `${id}0`, `${id}\n`, ` ${id}`, `dep_8${id.slice(5)}`]) {
      expect(isId('deposit', text)).toBe(false);
    }
  });
});

describe('a sequence of its own', () => {
  test('carries its times exactly and sorts in the order of calls', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 50 }), (unordered) => {
        const clock = unordered.toSorted((one, other) => one - other);
        const next = idSequence('ledgerEntry');
        const ids = clock.map((atMs) => next(atMs));
        expect(ids.map(idTimeMs)).toEqual(clock);
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('has a lower bound before every id of that time and after every earlier one', () => {
    fc.assert(
      fc.property(
        times.filter((atMs) => atMs > 1),
        anyKind,
        (atMs, kind) => {
          const next = idSequence(kind);
          const [earlier, now] = [next(atMs - 1), next(atMs)];
          const bound = idLowerBound(kind, atMs);
          expect(isId(kind, bound)).toBe(true);
          expect(earlier < bound && bound <= now).toBe(true);
        },
      ),
    );
  });
});
