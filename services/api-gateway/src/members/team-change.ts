import { z } from 'zod';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { merchantRoleSchema } from '@gateway/contracts/identity';
import { type Environment, environmentSchema } from '@gateway/contracts/values';
import { auditAcross, type AuditedChange } from '#src/approvals/audit.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import { actOf, type MemberCall, type MemberServices } from '#src/members/member-endpoint.ts';

/** What a person may do in an account. */
export const rights = {
  roles: z.array(merchantRoleSchema).min(1).max(5),
  environments: z.array(environmentSchema).min(1).max(2),
};
export type Rights = z.infer<z.ZodObject<typeof rights>>;

/** Rights of live mode are given in live mode, where the giver has them. */
export function requireGrantable({ member }: MemberCall, { environments }: Rights): void {
  if (!environments.includes('live') || member.environment === 'live') return;
  throw new ValidationError([
    { path: 'environments', message: 'must be test alone: live rights are given in live mode' },
  ]);
}

/**
 * Whose rights reach live mode is changed there alone: an owner of test mode would else take over a person of live mode.
 *
 * @throws DomainError PERMISSION_DENIED
 */
export function requireReach({ environment }: Pick<Member, 'environment'>, rightsIn: readonly Environment[]): void {
  if (environment === 'live' || !rightsIn.includes('live')) return;
  throw new DomainError('PERMISSION_DENIED', 'a person with rights of live mode is changed in live mode');
}

/** A change that identity makes, with its trace in the account. */
export async function audited<Change extends Pick<AuditedChange, 'before' | 'after'>>(
  call: MemberCall,
  { database, bus }: MemberServices,
  change: Pick<AuditedChange, 'action' | 'target'>,
  work: () => Promise<Change>,
): Promise<Change> {
  const { accountId } = call.member;
  return await auditAcross(database, actOf(call, bus, true), { ...change, accountId }, work);
}
