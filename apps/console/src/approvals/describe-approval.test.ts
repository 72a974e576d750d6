import { expect, test } from 'vitest';
import { actionsOf, isDecidedTogether } from '#src/approvals/describe-approval.ts';

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

test('what its approver alone is shown is never approved together with others, and what others decide is not either', () => {
  const proposed = { state: 'PROPOSED', proposed_by: 'ana' } as const;
  const together = (kind: 'adjustment.apply' | 'key.issue' | 'person.recover', me = 'bruno') =>
    isDecidedTogether({ ...proposed, kind }, me, treasurer);
  expect([together('adjustment.apply'), together('key.issue'), together('person.recover')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(together('adjustment.apply', 'ana')).toBe(false);
});
