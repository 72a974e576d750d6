import { expect, test } from 'vitest';
import { actionsOf, approvableFrom, isDecidedTogether, isOfRecord } from '#src/approvals/describe-approval.ts';
import type { Approval } from '#src/generated/types.gen.ts';

const proposed = {
  kind: 'adjustment.apply' as Approval['kind'],
  state: 'PROPOSED' as Approval['state'],
  proposed_by: 'ana',
  responsible: ['per_ana'],
};
const personWith = (name: string, ...permissions: string[]) => ({
  person: { id: `per_${name}`, name },
  permissions: Object.fromEntries(permissions.map((permission) => [permission, 'full'])),
});
const treasurer = (name: string) => personWith(name, 'money:decide', 'accounts:decide');

test('who proposed a change may withdraw it, and never decides it', () => {
  expect(actionsOf(proposed, treasurer('ana'))).toEqual(['withdraw']);
  expect(actionsOf(proposed, treasurer('bruno'))).toEqual(['approve', 'refuse']);
  expect(actionsOf(proposed, personWith('carla', 'records:read'))).toEqual([]);
});

test('who answers for the token that proposed a change is not offered to decide it', () => {
  const byToken = { ...proposed, proposed_by: 'tok_1', responsible: ['per_bruno', 'per_ana'] };
  expect([actionsOf(byToken, treasurer('bruno')), actionsOf(byToken, treasurer('ana'))]).toEqual([[], []]);
  expect(actionsOf(byToken, treasurer('carlos'))).toEqual(['approve', 'refuse']);
});

test('each kind is offered to those who may decide it, and to no others', () => {
  const may = (kind: Approval['kind'], permission: string) =>
    actionsOf({ ...proposed, kind }, personWith('bruno', permission)).length > 0;
  const kinds = ['payout.resolve', 'key.issue', 'person.roles'] as const;
  const permissions = ['money:decide', 'accounts:decide', 'people:write'];
  expect(kinds.map((kind) => permissions.filter((permission) => may(kind, permission)))).toEqual(
    permissions.map((permission) => [permission]),
  );
});

test('what has been decided is not decided again', () => {
  for (const state of ['APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN', 'REJECTED', 'EXPIRED', 'FAILED'] as const) {
    expect(actionsOf({ ...proposed, state }, treasurer('bruno'))).toEqual([]);
  }
});

test('what its approver alone is shown is never approved together with others, and what others decide is not either', () => {
  const decider = personWith('bruno', 'money:decide', 'accounts:decide', 'people:write');
  const together = (kind: Approval['kind'], by = decider) => isDecidedTogether({ ...proposed, kind }, by);
  expect([together('adjustment.apply'), together('key.issue'), together('person.recover')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(together('adjustment.apply', treasurer('ana'))).toBe(false);
});

test('what is about a record leads to it, and a reset of a merchant’s person says from when it can be approved', () => {
  const about = ['pyt_1', 'med_1', 'acc_1', 'live/efi', 'pytx'].filter((target) => isOfRecord({ target }));
  expect(about).toEqual(['pyt_1', 'med_1']);
  const reset = { ...proposed, kind: 'account.recover-person', created_at: 1_000 } as unknown as Approval;
  expect([approvableFrom(reset), approvableFrom({ ...reset, kind: 'key.issue' })]).toEqual([87_400, undefined]);
  expect(approvableFrom({ ...reset, state: 'APPLIED' })).toBeUndefined();
});
