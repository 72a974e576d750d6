import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { differs, unknownFor } from '#src/differs.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { classify, lookedUp, type CallOutcome } from '#src/http/classify.ts';
import type { Exchange } from '#src/http/exchange.ts';

const schema = z.object({ id: z.string(), amount: z.int() });

function answer(status: number, body: unknown, headers: Readonly<Record<string, string | string[]>> = {}): Exchange {
  const bytes = body === null || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return { kind: 'answered', status, headers, body: bytes };
}

const outcomeOf = (status: number, body: unknown, headers?: Readonly<Record<string, string | string[]>>) =>
  classify(answer(status, body, headers), schema);

const errorOf = (name: string, facts: object = {}, message = '') =>
  Object.assign(new Error(message), { name, ...facts });

describe('a request of which no byte was written', () => {
  test.each(['AbortError', 'TimeoutError'])('was aborted, when its deadline ended it with %s', (name) => {
    const outcome = classify({ kind: 'not_written', error: errorOf(name, {}, 'too late') }, schema);
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'aborted', cause: `${name}: too late` });
  });

  test('else did not reach the provider; its cause is the code, since messages may quote what they were given', () => {
    const error = errorOf('Error', { code: 'ENOTFOUND' }, 'getaddrinfo secret.example');
    expect(classify({ kind: 'not_written', error }, schema)).toEqual({
      kind: 'not_sent',
      reason: 'unreachable',
      cause: 'Error ENOTFOUND',
    });
  });

  test('has a cause of at most two hundred characters where there is no code', () => {
    for (const code of [undefined, 42]) {
      const outcome = classify({ kind: 'not_written', error: errorOf('Error', { code }, 'x'.repeat(300)) }, schema);
      expect(outcome).toMatchObject({ cause: `Error: ${'x'.repeat(200)}` });
    }
  });
});

test('a request without an answer may have arrived, however it ended', () => {
  for (const name of ['AbortError', 'TimeoutError', 'SocketError']) {
    const outcome = classify({ kind: 'unanswered', error: errorOf(name, { code: 'X' }) }, schema);
    expect(outcome).toEqual({ kind: 'unknown', cause: `no answer: ${name} X` });
  }
});

describe('an answer by its status', () => {
  const fitting = { id: '1', amount: 5 };
  const isRejecting = (status: number) => status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);

  test('is the one table: accepted, refused and not processed are certain, everything else is unknown', () => {
    for (let status = 100; status < 600; status++) {
      const { kind } = outcomeOf(status, fitting);
      const certain = [401, 403, 429].includes(status) ? 'not_sent' : isRejecting(status) ? 'rejected' : 'unknown';
      expect(kind, String(status)).toBe(status >= 200 && status < 300 ? 'answered' : certain);
    }
  });

  test('refuses only with JSON: anything else comes from a machine in between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 499 }).filter(isRejecting), fc.jsonValue(), (status, body) => {
        const text = JSON.stringify(body);
        expect(outcomeOf(status, Buffer.from(text))).toEqual({
          kind: 'rejected',
          status,
          body: JSON.parse(text) as unknown,
        });
        for (const bytes of [null, Buffer.alloc(0), Buffer.from('<html>')]) {
          expect(outcomeOf(status, bytes).kind).toBe('unknown');
        }
      }),
    );
  });

  test('that does not know us was not processed, and says which', () => {
    for (const status of [401, 403]) {
      const cause = `the provider answered ${status}`;
      expect(outcomeOf(status, {})).toEqual({ kind: 'not_sent', reason: 'unauthorized', cause, status });
    }
  });

  test.each([
    ['7', 7_000],
    ['0', 0],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['999999', 3_600_000],
  ])('that asks to wait %s seconds was not processed, and waits for at most an hour', (text, retryAfterMs) => {
    const throttled = { kind: 'not_sent', reason: 'throttled', cause: 'the provider answered 429' };
    expect(outcomeOf(429, {}, { 'retry-after': text })).toEqual({ ...throttled, retryAfterMs });
  });

  test.each([['soon'], ['1.5'], ['-1'], ['1234567'], [' 7'], ['7 '], [['7']], [['7', '8']], [[]]])(
    'that asks to wait %j says nothing of the time',
    (text) => {
      expect(outcomeOf(429, {}, { 'retry-after': text as string })).toStrictEqual({
        kind: 'not_sent',
        reason: 'throttled',
        cause: 'the provider answered 429',
      });
    },
  );
});

describe('an answer of success', () => {
  test('is the value its schema reads', () => {
    expect(outcomeOf(201, { id: '1', amount: 5, more: true })).toEqual({
      kind: 'answered',
      value: { id: '1', amount: 5 },
    });
  });

  test('is taken whatever its body, where none is expected', () => {
    for (const bytes of [null, Buffer.alloc(0), Buffer.from('<html>')]) {
      expect(classify(answer(204, bytes), undefined)).toEqual({ kind: 'answered', value: undefined });
    }
  });

  test.each([
    [null, 'a longer body than is read'],
    [Buffer.alloc(0), 'no body'],
    [Buffer.from('<html>'), '6 bytes that are not JSON'],
  ])('that cannot be read is unknown, and says so: %#', (bytes, shape) => {
    const cause = `the provider answered 200 with ${shape}`;
    expect(outcomeOf(200, bytes)).toEqual({ kind: 'unknown', cause, unreadable: true });
  });

  test('that does not fit is unknown, with what does not fit and nothing of what it says', () => {
    const outcome = outcomeOf(200, { id: 'secret name', amount: 'a lot' });
    const cause =
      'the provider answered 200 with {id: string, amount: string}, which does not fit at amount (invalid_type)';
    expect(outcome).toEqual({ kind: 'unknown', cause, unreadable: true });
    expect(outcomeOf(200, 'text')).toMatchObject({
      cause: expect.stringContaining('at the top (invalid_type)') as string,
    });
  });

  test('names three places at most that do not fit', () => {
    const wide = z.object({ a: z.string(), b: z.object({ c: z.string() }), d: z.string(), e: z.string() });
    const outcome = classify(answer(200, { b: {} }), wide) as { readonly cause: string };
    expect(outcome.cause.split(' at ')[1]).toBe('a (invalid_type), b.c (invalid_type), d (invalid_type)');
  });
});

test('an answer of another status is unknown, with its shape alone', () => {
  expect(outcomeOf(302, { to: 'secret' })).toEqual({
    kind: 'unknown',
    cause: 'the provider answered 302 with {to: string}',
  });
  expect(outcomeOf(500, Buffer.alloc(0))).toEqual({ kind: 'unknown', cause: 'the provider answered 500 with no body' });
});

describe('an answer about a record', () => {
  const record = { ref: 'r1', money: { amount: 100, currency: 'BRL' } } as const;

  test('agrees when reference, amount and, where it is named, currency are those of the record', () => {
    expect(differs(record, { ref: 'r1', amount: 100 })).toBeNull();
    expect(differs(record, { ref: 'r1', amount: 100, currency: 'BRL' })).toBeNull();
  });

  test.each([
    [{ ref: 'r2', amount: 99, currency: 'MXN' }, 'reference', 'r2'],
    [{ ref: 'r1', amount: 99, currency: 'MXN' }, 'currency', 'MXN'],
    [{ ref: 'r1', amount: 99 }, 'amount', '99'],
    [{ ref: 'r1', amount: 101, currency: 'BRL' }, 'amount', '101'],
  ])('%j differs in its %s', (answered, field, reported) => {
    expect(differs(record, answered)).toEqual({ status: 'DIFFERS', field, reported });
  });

  test('that differs where a call changed something leaves unknown what it changed', () => {
    const cause = 'the provider answered with another amount';
    expect(unknownFor({ status: 'DIFFERS', field: 'amount', reported: '99' }, 'P1')).toEqual({
      kind: 'unknown',
      cause,
      providerRef: 'P1',
      differs: { field: 'amount', reported: '99' },
    });
  });
});

describe('a lookup', () => {
  const unavailable = (cause: string) => ({ status: 'UNAVAILABLE', cause });

  test.each<[CallOutcome<number>, object]>([
    [
      { kind: 'answered', value: 7 },
      { status: 'FOUND', value: 7 },
    ],
    [{ kind: 'rejected', status: 404, body: {} }, { status: 'NOT_FOUND' }],
    [{ kind: 'rejected', status: 422, body: { a: 1 } }, unavailable('the provider answered 422 with {a: number}')],
    [{ kind: 'not_sent', reason: 'throttled', cause: 'why' }, unavailable('why')],
    [{ kind: 'unknown', cause: 'why' }, unavailable('why')],
  ])('that ended with %j has learned %j: only a 404 says that there is none', (outcome, learned) => {
    expect(lookedUp(outcome)).toEqual(learned);
  });
});

describe('the shape of a value', () => {
  test.each([
    [null, 'null'],
    [[], '[]'],
    ['Maria', 'string'],
    [1, 'number'],
    [true, 'boolean'],
    [undefined, 'undefined'],
    [{}, '{}'],
    [['Maria', 'João'], '[string x 2]'],
    [{ name: 'Maria', items: [{ id: 1 }] }, '{name: string, items: [{id: number} x 1]}'],
    [{ 'Maria da Silva': 1, '1a': 1, _a: 1, 'a-b9': 1 }, '{?: number, ?: number, _a: number, a-b9: number}'],
    [{ ['a'.repeat(40)]: 1, ['a'.repeat(41)]: 1 }, `{${'a'.repeat(40)}: number, ?: number}`],
    [{ a: { b: { c: { d: { e: 1 } } } } }, '{a: {b: {c: {d: object}}}}'],
    [[[[[[1]]]]], '[[[[array x 1] x 1] x 1] x 1]'],
    [[[[[]]]], '[[[[] x 1] x 1] x 1]'],
  ])('%j is %s: keys and types, never what it says', (value, shape) => {
    expect(shapeOf(value)).toBe(shape);
  });

  test('names twenty members and counts the others', () => {
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
    expect(shapeOf(members(20)).match(/number/g)).toHaveLength(20);
    expect(shapeOf(members(20))).not.toContain('more');
    expect(shapeOf(members(23))).toMatch(/m19: number, 3 more}$/);
  });
});
