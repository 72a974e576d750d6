import { expect, test } from 'vitest';
import { jsonNestingLevelsMax, jsonShapeOf } from '#src/http/json-shape.ts';

const shapeOf = (text: string) => jsonShapeOf(Buffer.from(text));
const nested = (levels: number, inside = '1') => '[{"a":'.repeat(levels / 2) + inside + '}]'.repeat(levels / 2);

test('the deepest level allowed is not too deep, and one more is', () => {
  expect(shapeOf(nested(jsonNestingLevelsMax)).isTooDeep).toBe(false);
  expect(shapeOf(nested(jsonNestingLevelsMax, '[]')).isTooDeep).toBe(true);
});

test('lists beside one another are not levels, nor are brackets within text', () => {
  expect(shapeOf(`[${'[],'.repeat(1_000)}{}]`).isTooDeep).toBe(false);
  expect(shapeOf(JSON.stringify({ a: '['.repeat(99), 'b\\"[': '\\"[['.repeat(99) })).isTooDeep).toBe(false);
  expect(shapeOf(`{"a\\\\":${'['.repeat(99)}`).isTooDeep).toBe(true);
});

test.each([
  ['{"value":1e2}', true],
  ['[1.5E+3]', true],
  ['{"value":12.50,"ok":true,"off":false}', false],
  ['{"externalId":"1e2","pixKey":"a-3E4"}', false],
])('%s has a number with an exponent: %s', (text, hasExponent) => {
  expect(shapeOf(text).hasExponent).toBe(hasExponent);
});
