import { expect, test } from 'vitest';
import {
  merchantGrant,
  merchantPermissions,
  merchantRoleSchema,
  moneyPermissions,
  operatorGrant,
  operatorPermissions,
  operatorRoleSchema,
  type MerchantPermission,
  type OperatorPermission,
} from '#src/identity/permission.ts';

const operatorNames = Object.keys(operatorPermissions) as OperatorPermission[];
const merchantNames = Object.keys(merchantPermissions) as MerchantPermission[];

test('several roles have what the strongest of them has', () => {
  expect(operatorGrant(['support', 'duty'], 'payouts:approve')).toBe('within_limit');
  expect(operatorGrant(['duty', 'treasurer'], 'money:propose')).toBe('full');
  expect(merchantGrant(['developer', 'viewer'], 'balances:read')).toBe('full');
  expect(merchantGrant(['developer'], 'balances:read')).toBe('test_only');
});

test('no role has every permission about money and people, and no permission is without a role', () => {
  for (const role of operatorRoleSchema.options) {
    expect(
      operatorNames.filter((name) => operatorGrant([role], name) === null),
      role,
    ).not.toEqual([]);
  }
  for (const name of operatorNames) expect(operatorGrant(operatorRoleSchema.options, name), name).not.toBeNull();
  for (const name of merchantNames) expect(merchantGrant(merchantRoleSchema.options, name), name).not.toBeNull();
});

test('support and auditors change nothing: what they have is reading, revealing with a reason, and exports', () => {
  const reading = /:(read|reveal|create)$/;
  for (const role of ['support', 'auditor'] as const) {
    const granted = operatorNames.filter((name) => operatorGrant([role], name) !== null);
    expect(
      granted.filter((name) => !reading.test(name)),
      role,
    ).toEqual([]);
    expect(
      moneyPermissions.filter((name) => granted.includes(name)),
      role,
    ).toEqual([]);
  }
});

test('admins see no personal data, and propose no money: who has most rights has not these', () => {
  expect(operatorGrant(['admin'], 'pii:reveal')).toBeNull();
  expect(operatorGrant(['admin'], 'money:propose')).toBeNull();
  expect(operatorGrant(['admin'], 'people:write')).toBe('full');
});
