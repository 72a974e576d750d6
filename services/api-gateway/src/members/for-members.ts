import { Readable } from 'node:stream';
import { DomainError } from '@gateway/contracts/errors';
import type { Askable } from '@gateway/messaging';
import type { Answer } from '#src/http/endpoint.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import type { MemberCall, MemberRow, MemberServices } from '#src/members/member-endpoint.ts';
import { moneyOperations } from '#src/members/propose-money.ts';
import { memberKeyEndpoints } from '#src/members/keys.ts';
import { sessionOperations } from '#src/members/session-operations.ts';
import { teamEndpoints } from '#src/members/team.ts';
import { teamApprovalEndpoints } from '#src/members/team-approvals.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { challenge, confirmed } from '#src/sessions/confirmations.ts';
import { fileForExporters, isJsonBytes, maskedAnswer } from '#src/sessions/shown-answer.ts';

/** What a session reaches of the merchant API; what takes money out of the balance as a proposal to a second person. */
const ofMerchantApi: readonly MemberRow[] = merchantRoutes.flatMap((row) => {
  const use = sessionOperations[row.operation];
  const handle = moneyOperations[row.operation]?.(row) ?? row.handle;
  return use ? [{ ...row, ...use, handle }] : [];
});

/** What the people of an account reach by a session, in the account and the environment that they choose. */
export const memberRoutes: readonly MemberRow[] = [
  ...ofMerchantApi,
  ...memberKeyEndpoints,
  ...teamApprovalEndpoints,
  ...teamEndpoints,
].map((row) => {
  const handle = async (call: MemberCall, services: MemberServices): Promise<Answer> => {
    if (row.confirmed) await requireConfirmed(services.bus, row.operation, call);
    return shown(await row.handle(call as never, services), call);
  };
  return { ...row, handle };
});

/** @throws DomainError PERMISSION_DENIED */
export function authorizeMember({ may }: Member, { permission, withSecond = false }: MemberRow): void {
  if (!may(permission, withSecond))
    throw new DomainError('PERMISSION_DENIED', `the operation takes the permission ${permission}`);
}

/** @throws DomainError STEP_UP_REQUIRED with what the person is to confirm */
async function requireConfirmed(bus: Askable, operation: string, { member, asked }: MemberCall): Promise<void> {
  const within = `${member.accountId} ${member.environment}`;
  const confirmable = { realm: 'merchant', operation, within, asked, person: member.person } as const;
  if (!(await confirmed(bus, confirmable))) throw await challenge(bus, confirmable);
}

/**
 * Personal data is masked, also in a page that the owner of the records has written; a list as a file, in which it is not,
 * is for those who may make exports.
 */
function shown(answer: Answer, { member }: MemberCall): Answer {
  const { body } = answer;
  if (answer.revealed) return answer;
  const isFile = body instanceof Readable || (body instanceof Uint8Array && !isJsonBytes(answer));
  return isFile ? fileForExporters(answer, member.may('exports:create')) : maskedAnswer(answer);
}
