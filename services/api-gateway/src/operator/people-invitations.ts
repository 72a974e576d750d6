import { z } from 'zod';
import { listInvitations, operatorRoleSchema, personNameSchema } from '@gateway/contracts/identity';
import { callRpc } from '@gateway/messaging';
import { approvalAnswerSchema, onlyPage, operatorReasonSchema } from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { invitationAnswer, invitationSchema, presentInvitation } from '#src/operator/people-resources.ts';
import {
  consequences,
  decideInvitation,
  type InvitationDecision,
  readInvitation,
} from '#src/proposals/decide-invitation.ts';
import { inviterOf } from '#src/proposals/invite-first-owner.ts';

const realm = 'operator';

export const peopleInvitationEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/invitations',
    operation: 'listOperatorInvitations',
    permission: 'people:read',
    summary: 'List the invitations of people who are to operate, newest first',
    description: 'At most a hundred, those that have ended included; never their links.',
    answers: {
      200: z
        .object({ data: z.array(invitationSchema).describe('The invitations, newest first.'), ...onlyPage })
        .meta({ id: 'OperatorInvitationList', description: 'The latest invitations.' }),
    },
    handle: async (_call, { bus }) => {
      const { invitations } = await callRpc(bus, listInvitations, { realm });
      return { status: 200, body: { data: invitations.map(presentInvitation), next_cursor: null } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/invitations',
    operation: 'createOperatorInvitation',
    permission: 'people:write',
    summary: 'Propose to invite a person to operate',
    description:
      'Takes two admins: the approver’s answer has the link, once, which works once within 24 hours; who enrols by it opens ' +
      'nothing before the proposer has confirmed that it is that person.',
    body: z
      .strictObject({
        name: personNameSchema.describe('What the person signs in as: unique among operators.'),
        roles: z
          .array(operatorRoleSchema)
          .min(1)
          .max(5)
          .meta({ description: 'What the person may do.', examples: [['duty']] }),
        reason: operatorReasonSchema.nullish().describe('Why it is that person, for the operator who approves it.'),
      })
      .meta({ id: 'OperatorInvitationCreate', description: 'Who is to operate.' }),
    example: { name: 'carla.reis', roles: ['duty'], reason: 'joins the team on duty' },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { database }) => {
      const { reason = null, ...request } = call.body;
      const subject = { kind: 'person.invite', environment: null, accountId: null, target: request.name } as const;
      const approval = await database.transaction(async (tx) =>
        proposeApproval(tx, actOf(call), { ...subject, request, before: null, reason: reason ?? null }),
      );
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  deciding('confirm', 'Confirm who enrolled by an invitation'),
  deciding('revoke', 'Revoke an invitation, or refuse who enrolled by it'),
];

function deciding(name: InvitationDecision, summary: string) {
  return operatorEndpoint({
    method: 'POST',
    path: `/ops/invitations/:id/${name}`,
    operation: `${name}OperatorInvitation`,
    permission: 'people:write',
    summary,
    description: consequences[name],
    answers: { 200: invitationAnswer },
    handle: async (call, { bus, database }) => {
      const act = actOf(call);
      requireConfirmed(act);
      const id = idIn(call, 'invitation');
      const before = presentInvitation(await readInvitation(bus, { realm }, id));
      const change = { action: `person.${name}-invitation`, target: id } as const;
      const { after } = await auditAcross(database, act, change, async () => {
        const decided = await decideInvitation(bus, name, { realm, id, by: inviterOf(act.responsible) });
        return { before, after: presentInvitation(decided) };
      });
      return { status: 200, body: { invitation: after } };
    },
  });
}
