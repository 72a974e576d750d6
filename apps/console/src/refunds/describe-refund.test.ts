import { expect, test } from 'vitest';
import { outcomesOf } from './describe-refund.ts';

test.each([
  ['PROCESSING', null, { done: 'ends', failed: 'credited' }],
  ['PROCESSING', 'overdue', { done: 'ends', failed: 'credited' }],
  ['FAILED', null, { done: 'debited' }],
  ['FAILED', 'contradiction', { done: 'debited', failed: 'stays' }],
  ['DONE', null, {}],
  ['DONE', 'amount_differs', { done: 'stays' }],
  ['DONE', 'contradiction', { done: 'stays', failed: 'credited' }],
] as const)('a refund that is %s, with the attention %s, is resolved in no other way', (status, attention, offered) => {
  expect(Object.fromEntries(outcomesOf({ status, attention }))).toEqual(offered);
});
