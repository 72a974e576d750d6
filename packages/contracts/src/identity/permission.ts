import { z } from 'zod';

export const operatorRoleSchema = z.enum(['support', 'duty', 'treasurer', 'admin', 'auditor']);
export type OperatorRole = z.infer<typeof operatorRoleSchema>;

/**
 * How far a permission goes, the weakest first. `with_reason`: one record at a time, with a reason that is kept.
 * `within_limit`: up to the operators' approval limit.
 */
const grants = ['with_reason', 'within_limit', 'full'] as const;
export type Grant = (typeof grants)[number];

type Row<Role extends string> = Readonly<Partial<Record<Role, Grant>>>;

const allOperators = { support: 'full', duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' } as const;

/** Which role of operators may do what: one row a permission. A role that a row does not name has nothing of it. */
export const operatorPermissions = {
  'records:read': allOperators,
  'balances:read': allOperators,
  'webhooks:read': allOperators,
  'webhooks:write': { duty: 'full' },
  'operations:read': { duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' },
  'operations:write': { duty: 'full', treasurer: 'full', admin: 'full' },
  'payouts:approve': { duty: 'within_limit', treasurer: 'full', admin: 'full' },
  'money:propose': { duty: 'full', treasurer: 'full' },
  'money:decide': { treasurer: 'full', admin: 'full' },
  'accounts:read': { duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' },
  'accounts:propose': { treasurer: 'full', admin: 'full' },
  'accounts:decide': { treasurer: 'full', admin: 'full' },
  'audit:read': { duty: 'full', treasurer: 'full', admin: 'full', auditor: 'full' },
} as const satisfies Record<string, Row<OperatorRole>>;
export type OperatorPermission = keyof typeof operatorPermissions;

/** How far operators with these roles may go with a permission; null when they have nothing of it. */
export function operatorGrant(roles: readonly OperatorRole[], permission: OperatorPermission): Grant | null {
  return strongest(roles, operatorPermissions[permission]);
}

function strongest<Role extends string>(roles: readonly Role[], row: Row<Role>): Grant | null {
  const given = roles.flatMap((role) => row[role] ?? []);
  return given.sort((one, other) => grants.indexOf(other) - grants.indexOf(one))[0] ?? null;
}
