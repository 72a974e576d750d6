import { expect, test } from 'vitest';
import { readable } from '#src/letters/describe-letter.ts';

test('a message is shown with its members below each other, and one that is no JSON as it is', () => {
  expect(readable('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
  expect(readable('not { json')).toBe('not { json');
});
