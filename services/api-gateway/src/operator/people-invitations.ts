import { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import {
  confirmInvitation,
  listInvitations,
  operatorRoleSchema,
  personNameSchema,
  revokeInvitation,
} from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import { approvalAnswerSchema, operatorReasonSchema } from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, idIn, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { invitationAnswer, invitationSchema, presentInvitation } from '#src/operator/people-resources.ts';
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
        .object({ data: z.array(invitationSchema).describe('The invitations, newest first.') })
        .meta({ id: 'OperatorInvitationList', description: 'The latest invitations.' }),
    },
    handle: async (_call, { bus }) => {
      const { invitations } = await callRpc(bus, listInvitations, { realm });
      return { status: 200, body: { data: invitations.map(presentInvitation) } };
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
  deciding('confirm', 'Confirm who enrolled by an invitation', async (bus, asked) => {
    await callRpc(bus, confirmInvitation, asked);
  }),
  deciding('revoke', 'Revoke an invitation, or refuse who enrolled by it', async (bus, asked) => {
    await callRpc(bus, revokeInvitation, asked);
  }),
];

interface Asked {
  readonly realm: typeof realm;
  readonly invitationId: string;
  readonly by: string;
}

function deciding(name: 'confirm' | 'revoke', summary: string, work: (bus: Askable, asked: Asked) => Promise<void>) {
  return operatorEndpoint({
    method: 'POST',
    path: `/ops/invitations/:id/${name}`,
    operation: `${name}OperatorInvitation`,
    permission: 'people:write',
    summary,
    description:
      name === 'confirm'
        ? 'By who proposed it, after asking the person for the name of the passkey: a link that was stolen opens nothing.'
        : 'Who enrolled by it is removed, and signs in nowhere.',
    answers: { 200: invitationAnswer },
    handle: async (call, { bus, database }) => {
      const act = actOf(call);
      requireConfirmed(act);
      const before = await invitationIn(bus, call);
      const change = { action: `person.${name}-invitation`, target: before.id } as const;
      const { after } = await auditAcross(database, act, change, async () => {
        await work(bus, { realm, invitationId: before.id, by: inviterOf(act.responsible) });
        return { before, after: await invitationIn(bus, call) };
      });
      return { status: 200, body: { invitation: after } };
    },
  });
}

/** @throws NotFoundError, also for one into an account of merchants */
async function invitationIn(bus: Askable, call: OperatorCall) {
  const id = idIn(call, 'invitation');
  const { invitations } = await callRpc(bus, listInvitations, { realm });
  const invitation = invitations.find((each) => each.id === id);
  if (!invitation) throw new NotFoundError('invitation');
  return presentInvitation(invitation);
}
