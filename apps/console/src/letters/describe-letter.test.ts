import { expect, test } from 'vitest';
import { readable, reasonLines } from '#src/letters/describe-letter.ts';

test('a message is shown with its members below each other, and one that is no JSON as it is', () => {
  expect(readable('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
  expect(readable('not { json')).toBe('not { json');
});

test('why a message was not handled is read as what differs from its schema, one line each', () => {
  const issues = [
    { expected: 'string', code: 'invalid_type', path: ['id'], message: 'Invalid input' },
    { code: 'custom', path: ['payout', 'amount'], message: 'too small' },
    { code: 'custom', path: [], message: 'no object' },
  ];
  expect(reasonLines(JSON.stringify(issues, null, 2))).toEqual([
    'id: Invalid input',
    'payout.amount: too small',
    'no object',
  ]);
  for (const other of ['the ledger was not reached', '[1]', '{"path":[]}', '"text"']) {
    expect(reasonLines(other)).toEqual([other]);
  }
});
