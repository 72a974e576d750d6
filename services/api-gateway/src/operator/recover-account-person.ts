import { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { violatedConstraint } from '@gateway/persistence';
import { approvalAnswerSchema, operatorReasonSchema } from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { requireAccount } from '#src/operator/require-account.ts';
import { recordForAccounts, recoverableFrom, requireNoOtherOwner } from '#src/proposals/recover-member.ts';

const recoveryBody = z
  .strictObject({ reason: operatorReasonSchema.describe('Why, for the operator who approves it.') })
  .meta({ id: 'PersonRecovery', description: 'Why the sign-in of a person is reset.' });

export const recoverAccountPerson = operatorEndpoint({
  method: 'POST',
  path: '/ops/accounts/:id/people/:personId/recover',
  operation: 'recoverAccountPerson',
  permission: 'accounts:propose',
  summary: 'Propose to reset the sign-in of a person of an account who has lost every credential',
  description:
    'For an owner whom no other owner can let in again, and for a person with a part in another account too; all others are ' +
    'reset by an owner (409). Another owner can who has signed in within the last 12 hours, or signs in before it is ' +
    'approved: of several owners who have all lost everything one is reset, who resets the others. 409 too while `state` of ' +
    'the person is `SUSPENDED`. It takes two operators, the second of whom approves 24 hours later at the earliest: until ' +
    'then, and for seven days after it, the people of the account see it on every page of theirs, and what became of it in ' +
    'their history. Approving it ends all sessions, removes passkeys, password and codes, and shows a link for enrolling ' +
    'anew, once; who proposed it then confirms who enrolled, as of a first owner. One operator stops it: until it is approved ' +
    'by `refuseApproval`, then by `revokeFirstOwner`.',
  body: recoveryBody,
  example: { reason: 'the phone was lost; called back at the number of the contract' },
  answers: { 202: approvalAnswerSchema },
  refusals: ['INVALID_STATE'],
  handle: async (call, { bus, database }) => {
    const accountId = idIn(call, 'account');
    const { personId = '' } = call.params;
    await requireAccount(database, accountId);
    const act = actOf(call);
    const person = await requireNoOtherOwner(bus, accountId, { personId, proposedAt: act.at });
    const { id: target, name, state, memberships } = person;
    const subject = { kind: 'account.recover-person', environment: null, accountId, target } as const;
    const request = { person_id: target, name, account_ids: memberships.map((each) => each.accountId) };
    const approval = await database
      .transaction(async (tx) => {
        const proposed = proposeApproval(tx, act, { ...subject, request, before: { state }, reason: call.body.reason });
        const after = { name, from: recoverableFrom(proposed) };
        recordForAccounts(tx, act, proposed, { action: 'team.propose-recovery', before: null, after });
        return proposed;
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) !== 'approval_of_recovery') throw error;
        throw new DomainError('INVALID_STATE', 'the reset of the sign-in is proposed already');
      });
    return { status: 202, body: { approval: presentApproval(approval) } };
  },
});
