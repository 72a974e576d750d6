import { expect, test } from 'vitest';
import { changedMembers } from '#src/audit/describe-audit.ts';

test('of a change the members are shown that differ, and of something new all of them', () => {
  const before = { name: 'Loja', frozen: null, limits: { day: 1 } };
  expect(changedMembers({ before, after: { ...before, frozen: { level: 'writes' } } })).toEqual([
    { member: 'frozen', before: '–', after: '{"level":"writes"}' },
  ]);
  expect(changedMembers({ before, after: { ...before, limits: { day: 2 } } })).toEqual([
    { member: 'limits', before: '{"day":1}', after: '{"day":2}' },
  ]);
  expect(changedMembers({ before: null, after: { name: 'Loja' } })).toHaveLength(1);
});
