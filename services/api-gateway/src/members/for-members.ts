import { DomainError } from '@gateway/contracts/errors';
import type { Askable } from '@gateway/messaging';
import { recordRead } from '#src/approvals/audit.ts';
import type { Answer } from '#src/http/endpoint.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import { actOf, type MemberCall, type MemberRow, type MemberServices } from '#src/members/member-endpoint.ts';
import { moneyOperations } from '#src/members/propose-money.ts';
import { changeStreamEndpoints } from '#src/members/change-stream.ts';
import { memberKeyEndpoints } from '#src/members/keys.ts';
import { isFile, isRevealed, recordedOrder, recordedRead } from '#src/members/recorded-read.ts';
import { sessionOperations } from '#src/members/session-operations.ts';
import { teamEndpoints } from '#src/members/team.ts';
import { teamApprovalEndpoints } from '#src/members/team-approvals.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { challenge, confirmed } from '#src/sessions/confirmations.ts';
import { leaveTrace, revealIn } from '#src/sessions/revealing.ts';
import { fileForExporters, isEventStream, maskedAnswer } from '#src/sessions/shown-answer.ts';
import { isAskedAsFile } from '#src/statements/list-answer.ts';

type HandledCall = MemberCall & { readonly query: unknown; readonly body: unknown };

/** What a session reaches of the merchant API; what takes money out of the balance as a proposal to a second person. */
const ofMerchantApi: readonly MemberRow[] = merchantRoutes.flatMap((row) => {
  const use = sessionOperations[row.operation];
  const handle = moneyOperations[row.operation]?.(row) ?? row.handle;
  return use ? [{ ...row, ...use, handle }] : [];
});

/**
 * What the people of an account reach by a session, in the account and the environment that they choose. A record that is
 * revealed, a search by a document, a file and the order of one are in the audit trail before the answer.
 */
export const memberRoutes: readonly MemberRow[] = [
  ...ofMerchantApi,
  ...memberKeyEndpoints,
  ...teamApprovalEndpoints,
  ...teamEndpoints,
  ...changeStreamEndpoints,
].map((row) => {
  const handle = async (call: HandledCall, services: MemberServices): Promise<Answer> => {
    const { member, asked } = call;
    const reveal = revealIn(asked, member.may('pii:reveal'));
    const leaves = isAskedAsFile(row, call) && member.may('exports:create');
    if (row.confirmed || leaves) await requireConfirmed(services.bus, row.operation, call);
    const act = actOf(call, services.bus, false);
    const order = recordedOrder(row, call);
    if (order) await recordRead(services.database, act, order);
    const answer = await row.handle(call as never, services);
    const asShown = isRevealed(row, answer, reveal) ? answer : shown(answer, call);
    const read = recordedRead(row, call, answer, reveal);
    if (read) await leaveTrace(services.database, act, answer, read);
    return asShown;
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
  if (isEventStream(answer)) return answer;
  return isFile(answer) ? fileForExporters(answer, member.may('exports:create')) : maskedAnswer(answer);
}
