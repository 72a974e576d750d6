import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  idLowerBound,
  idOf,
  idOfTime,
  idPrefixes,
  idSchema,
  idSequence,
  idTimeMs,
  isId,
  newId,
  type IdKind,
} from '#src/ids/id.ts';

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
    expect(idSchema('deposit').safeParse('').error?.issues).toMatchObject([{ message: 'is not a valid id' }]);
  });
});

describe('an id that follows from a text', () => {
  test('is the same in every release: 128 bits of its SHA-256 in base 32, the highest first', () => {
    expect(idOf('webhook', 'mov_1')).toBe('whk_5vhpg0yp5z5kvfgy2vp1j19t0c');
    expect(idOf('account', '')).toBe('acc_73p324567w3ga9nyzms2cpze94');
    expect(idOf('account', 'ão')).toBe('acc_2fsk6rs2n0jegkh89jr0sbc4g9');
  });

  test('is well formed, and another one for another text', () => {
    fc.assert(
      fc.property(anyKind, fc.string(), fc.string(), (kind, text, other) => {
        expect(isId(kind, idOf(kind, text))).toBe(true);
        expect(idOf(kind, text) === idOf(kind, other)).toBe(text === other);
      }),
    );
  });
});

test('processes that start in the same millisecond never meet: each of a thousand sequences is random by itself', () => {
  const draws = vi.spyOn(crypto, 'getRandomValues');
  const ids = Array.from({ length: 1_000 }, () => idSequence('deposit')(1_800_000_000_000));
  const randomParts = ids.map((id) => id.slice('dep_'.length + 10));
  expect(new Set(randomParts).size).toBe(ids.length);
  for (let place = 0; place < 16; place++) {
    expect(new Set(randomParts.map((part) => part[place])).size, `character ${place}`).toBe(crockford.length);
  }
  // Sixteen numbers an id, drawn 1,024 at a time.
  expect(draws.mock.calls.length).toBeGreaterThanOrEqual(15);
  expect(draws.mock.calls.length).toBeLessThanOrEqual(16);
  draws.mockRestore();
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

test('an id that follows from a text and a time has that time, and is the same for the same of both alone', () => {
  const at = Date.parse('2026-03-04T05:06:07.890Z');
  const id = idOfTime('refund', 'E1', at);
  expect([isId('refund', id), idTimeMs(id)]).toEqual([true, at]);
  expect(idOfTime('refund', 'E1', at)).toBe(id);
  expect(new Set([id, idOfTime('refund', 'E2', at), idOfTime('refund', 'E1', at + 1)]).size).toBe(3);
  expect(id > idLowerBound('refund', at) && id < idLowerBound('refund', at + 1)).toBe(true);
});
