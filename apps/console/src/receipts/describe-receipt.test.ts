import { expect, test } from 'vitest';
import { outcomesOf } from './describe-receipt.ts';

test.each([
  ['RETURNING', 'overdue', ['done', 'failed']],
  ['FAILED', null, ['done']],
  ['FAILED', 'contradiction', ['done', 'failed']],
  ['RETURNED', null, []],
  ['RETURNED', 'contradiction', ['done']],
] as const)('a receipt that is %s, with the attention %s, is resolved in no other way', (state, attention, offered) => {
  expect(outcomesOf({ state, attention })).toEqual(offered);
});
