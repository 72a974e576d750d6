import { expect, test } from 'vitest';
import { approvalIn } from '#src/changes/approval-in.ts';

test('an answer is a proposal for as long as another operator has to decide it', () => {
  expect(approvalIn({ approval: { id: 'apr_1', state: 'PROPOSED' } })).toBe('apr_1');
  expect(approvalIn({ approval: { id: 'apr_1', state: 'APPLIED' } })).toBeUndefined();
  expect([approvalIn({ provider: {} }), approvalIn({}), approvalIn(undefined)]).toEqual(Array(3).fill(undefined));
});
