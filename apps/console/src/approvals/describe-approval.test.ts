import { expect, test } from 'vitest';
import { actionsOf, differencesOf, shownValue } from '#src/approvals/describe-approval.ts';

const treasurer = { 'money:decide': 'full' };

test('who proposed a change may withdraw it, and never decides it', () => {
  expect(actionsOf({ state: 'PROPOSED', proposed_by: 'ana' }, 'ana', treasurer)).toEqual(['withdraw']);
  expect(actionsOf({ state: 'PROPOSED', proposed_by: 'ana' }, 'bruno', treasurer)).toEqual(['approve', 'refuse']);
  expect(actionsOf({ state: 'PROPOSED', proposed_by: 'ana' }, 'carla', { 'records:read': 'full' })).toEqual([]);
});

test('what has been decided is not decided again', () => {
  for (const state of ['APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN', 'REJECTED', 'EXPIRED', 'FAILED'] as const) {
    expect(actionsOf({ state, proposed_by: 'ana' }, 'bruno', treasurer)).toEqual([]);
  }
});

test('every member of a request is shown beside what it was', () => {
  const approval = { request: { payout_max_cents: 200, note: 'x', none: null }, before: { payout_max_cents: 50 } };
  expect(differencesOf(approval)).toEqual([
    { member: 'payout_max_cents', before: 50, after: 200 },
    { member: 'note', before: undefined, after: 'x' },
    { member: 'none', before: undefined, after: null },
  ]);
  expect(differencesOf({ request: { a: 1 }, before: null })).toEqual([{ member: 'a', before: undefined, after: 1 }]);
});

test('a value is shown whole, and zero and false are values', () => {
  expect([0, false, '', 'a', { b: [1] }, null].map(shownValue)).toEqual([
    '0',
    'false',
    '',
    'a',
    '{"b":[1]}',
    undefined,
  ]);
});
