import { z } from 'zod';

/** Who signs in: the people who run the gateway, and the people of its merchants. They share code and no row. */
export const realmSchema = z.enum(['operator', 'merchant']);
export type Realm = z.infer<typeof realmSchema>;

export const operatorRoleSchema = z.enum(['support', 'duty', 'treasurer', 'admin', 'auditor']);
export type OperatorRole = z.infer<typeof operatorRoleSchema>;

export const merchantRoleSchema = z.enum(['owner', 'finance', 'approver', 'developer', 'viewer']);
export type MerchantRole = z.infer<typeof merchantRoleSchema>;

/**
 * How far a permission goes, the weakest first. `second_person`: in live mode only as a proposal that another person
 * decides. `test_only`: in test mode. `with_reason`: one record at a time, with a reason that is kept. `within_limit`: up
 * to the operators' approval limit.
 */
export const grants = ['test_only', 'second_person', 'with_reason', 'within_limit', 'full'] as const;
export type Grant = (typeof grants)[number];

type Row<Role extends string> = Readonly<Partial<Record<Role, Grant>>>;

const allOperators = { support: 'full', duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' } as const;
const allMerchants = { owner: 'full', finance: 'full', approver: 'full', developer: 'full', viewer: 'full' } as const;

/** Which role of operators may do what: one row a permission. A role that a row does not name has nothing of it. */
export const operatorPermissions = {
  'records:read': allOperators,
  'balances:read': allOperators,
  'pii:reveal': { support: 'with_reason', duty: 'with_reason', treasurer: 'with_reason', auditor: 'with_reason' },
  'exports:create': { treasurer: 'full', auditor: 'full' },
  'webhooks:read': allOperators,
  'webhooks:write': { duty: 'full' },
  'operations:read': { duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' },
  'operations:write': { duty: 'full', treasurer: 'full', admin: 'full' },
  'payouts:approve': { duty: 'within_limit', treasurer: 'within_limit', admin: 'within_limit' },
  'money:propose': { duty: 'full', treasurer: 'full' },
  'money:decide': { treasurer: 'full', admin: 'full' },
  'accounts:read': { duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' },
  'accounts:propose': { treasurer: 'full', admin: 'full' },
  'accounts:decide': { treasurer: 'full', admin: 'full' },
  'audit:read': { duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' },
  'people:read': { admin: 'full', auditor: 'full' },
  'people:write': { admin: 'full' },
} as const satisfies Record<string, Row<OperatorRole>>;
export type OperatorPermission = keyof typeof operatorPermissions;

/** As `operatorPermissions`, for the people of a merchant's account. */
export const merchantPermissions = {
  'records:read': allMerchants,
  'balances:read': { ...allMerchants, developer: 'test_only' },
  'pii:reveal': { owner: 'full', finance: 'full', approver: 'full' },
  'exports:create': { owner: 'full', finance: 'full' },
  'webhooks:read': { owner: 'full', finance: 'full', developer: 'full', viewer: 'full' },
  'webhooks:write': { owner: 'full', developer: 'full' },
  'charges:write': { owner: 'full', finance: 'full', developer: 'test_only' },
  'disputes:write': { owner: 'full', finance: 'full', developer: 'test_only' },
  'money:propose': { owner: 'full', finance: 'full' },
  'money:decide': { owner: 'full', approver: 'full' },
  'keys:read': { owner: 'full', developer: 'full' },
  'keys:write': { owner: 'full', developer: 'second_person' },
  'team:read': { owner: 'full' },
  'team:write': { owner: 'full' },
} as const satisfies Record<string, Row<MerchantRole>>;
export type MerchantPermission = keyof typeof merchantPermissions;

const operatorPermissionNames = Object.keys(operatorPermissions) as [OperatorPermission, ...OperatorPermission[]];
export const operatorPermissionSchema = z.enum(operatorPermissionNames);

/** What moves money or decides about it: operators use it only with as many passkeys as the deployment asks for. */
export const moneyPermissions: readonly OperatorPermission[] = [
  'payouts:approve',
  'money:propose',
  'money:decide',
  'accounts:propose',
  'accounts:decide',
  'people:write',
];

/** What changes nothing and decides nothing: all that a configured token has, except on a developer's machine. */
export const readingPermissions: readonly OperatorPermission[] = [
  'records:read',
  'balances:read',
  'webhooks:read',
  'operations:read',
  'accounts:read',
  'audit:read',
  'people:read',
];

/** How far operators with these roles may go with a permission; null when they have nothing of it. */
export function operatorGrant(roles: readonly OperatorRole[], permission: OperatorPermission): Grant | null {
  return strongest(roles, operatorPermissions[permission]);
}

/** As `operatorGrant`, for a person with these roles in one account. */
export function merchantGrant(roles: readonly MerchantRole[], permission: MerchantPermission): Grant | null {
  return strongest(roles, merchantPermissions[permission]);
}

function strongest<Role extends string>(roles: readonly Role[], row: Row<Role>): Grant | null {
  const given = roles.flatMap((role) => row[role] ?? []);
  return given.sort((one, other) => grants.indexOf(other) - grants.indexOf(one))[0] ?? null;
}
