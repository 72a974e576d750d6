import { expect, test } from 'vitest';
import { consequenceOf } from './describe-refund.ts';

test.each([
  ['PROCESSING', null, { done: 'ends', failed: 'credited' }],
  ['PROCESSING', 'overdue', { done: 'ends', failed: 'credited' }],
  ['FAILED', 'contradiction', { done: 'debited', failed: 'stays' }],
  ['DONE', 'amount_differs', { done: 'stays', failed: 'stays' }],
  ['DONE', 'contradiction', { done: 'stays', failed: 'credited' }],
] as const)('of a refund that is %s, with the attention %s, follows what is shown', (status, attention, shown) => {
  const record = { status, attention };
  expect({ done: consequenceOf(record, 'done'), failed: consequenceOf(record, 'failed') }).toEqual(shown);
});
