import { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import {
  type Invitation,
  listInvitations,
  listPeople,
  merchantRoleSchema,
  type Person,
  personNameSchema,
} from '@gateway/contracts/identity';
import { environmentSchema } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import { idSchema } from '@gateway/money';
import { violatedConstraint } from '@gateway/persistence';
import { approvalAnswerSchema, operatorReasonSchema, recordId, text, unixSeconds } from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { recoverAccountPerson } from '#src/operator/recover-account-person.ts';
import { requireAccount } from '#src/operator/require-account.ts';
import {
  consequences,
  decideInvitation,
  type InvitationDecision,
  readInvitation,
} from '#src/proposals/decide-invitation.ts';
import { inviterOf, requireNoOwner } from '#src/proposals/invite-first-owner.ts';

const realm = 'merchant';

const rights = {
  roles: z.array(merchantRoleSchema).meta({ description: 'The roles in the account.', examples: [['owner']] }),
  environments: z
    .array(environmentSchema)
    .meta({ description: 'The environments that the roles are for.', examples: [['test', 'live']] }),
};

const personSchema = z
  .object({
    id: recordId('person', 'The id of the person.'),
    name: text('What the person signs in as.', 'olga.dias'),
    state: z
      .enum(['INVITED', 'ACTIVE', 'SUSPENDED'])
      .describe('`INVITED`: has enrolled, and is to be confirmed. `ACTIVE`: may sign in. `SUSPENDED`: may not.'),
    ...rights,
    last_sign_in_at: unixSeconds('When the person signed in last.').nullable(),
  })
  .meta({ id: 'MerchantPerson', description: 'A person of a merchant account.' });

const invitationSchema = z
  .object({
    id: recordId('invitation', 'The id of the invitation.'),
    name: text('Whom it is for.', 'olga.dias'),
    state: z
      .enum(['OPEN', 'ACCEPTED', 'CONFIRMED', 'REVOKED', 'EXPIRED'])
      .describe('`OPEN`: the link can be opened. `ACCEPTED`: a person has enrolled, and is to be confirmed.'),
    ...rights,
    passkey_label: text('What the person called the passkey, to ask about.', 'laptop of Olga').nullable(),
    subject: text('Who the person is at the issuer; null where it was not bound.', '248289761001').nullable(),
    created_at: unixSeconds('When it was made.'),
    ends_at: unixSeconds('Until when the link can be opened.'),
  })
  .meta({ id: 'MerchantInvitation', description: 'An invitation into a merchant account.' });

const peopleSchema = z
  .object({
    people: z.array(personSchema).describe('Those with a part in the account, by name.'),
    invitations: z.array(invitationSchema).describe('The invitations, newest first.'),
  })
  .meta({ id: 'MerchantPeople', description: 'Who may sign in for an account.' });

const invitedBody = z
  .strictObject({ invitation_id: idSchema('invitation').describe('The invitation by which the person enrolled.') })
  .meta({ id: 'FirstOwnerDecision', description: 'Who enrolled.' });
const invitedExample = { invitation_id: 'inv_01k9z3m4v6t8x0a2c4e6g8jk01' };
const invitationAnswer = z
  .object({ invitation: invitationSchema })
  .meta({ id: 'MerchantInvitationAnswer', description: 'An invitation as it is now.' });

export const firstOwnerEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/accounts/:id/first-owner',
    operation: 'createFirstOwner',
    permission: 'accounts:propose',
    summary: 'Propose who becomes the first owner of an account at the merchants’ console',
    description:
      'Takes two operators: the approver’s answer has the link, once, which the approver hands to the person; who enrols by it ' +
      'opens nothing before the proposer has confirmed that it is that person. 409 once the account has an owner: owners ' +
      'invite the others. A link that was lost is replaced by proposing it again.',
    body: z
      .strictObject({
        name: personNameSchema.describe('What the person signs in as: unique among the people of merchants.'),
        reason: operatorReasonSchema.nullish().describe('Why it is that person, for the operator who approves it.'),
      })
      .meta({ id: 'FirstOwnerCreate', description: 'Who is to own the account.' }),
    example: { name: 'olga.dias', reason: 'named in the contract' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, { bus, database }) => {
      const accountId = idIn(call, 'account');
      const { name, reason = null } = call.body;
      await requireAccount(database, accountId);
      await requireNoOwner(bus, accountId);
      const subject = { kind: 'account.first-owner', environment: null, accountId, target: accountId } as const;
      const proposal = { ...subject, request: { name }, before: null, reason: reason ?? null };
      const approval = await database
        .transaction(async (tx) => proposeApproval(tx, actOf(call), proposal))
        .catch((error: unknown) => {
          if (violatedConstraint(error) !== 'approval_of_first_owner') throw error;
          throw new DomainError('INVALID_STATE', 'a first owner of the account is proposed already');
        });
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  deciding('confirm', 'Confirm who enrolled as the first owner of an account'),
  deciding('revoke', 'Revoke the link of a first owner, or refuse who enrolled by it'),
  recoverAccountPerson,
  operatorEndpoint({
    method: 'GET',
    path: '/ops/accounts/:id/people',
    operation: 'listAccountPeople',
    permission: 'accounts:read',
    summary: 'List who may sign in for an account, and who is invited',
    description: 'The owners of the account change it, at the merchants’ console.',
    answers: { 200: peopleSchema },
    handle: async (call, { bus, database }) => {
      const accountId = idIn(call, 'account');
      await requireAccount(database, accountId);
      const { people } = await callRpc(bus, listPeople, { realm, accountId });
      const { invitations } = await callRpc(bus, listInvitations, { realm, accountId });
      const shown = people.map((person) => presentPerson(person, accountId));
      return { status: 200, body: { people: shown, invitations: invitations.map(presentInvitation) } };
    },
  }),
];

function deciding(name: InvitationDecision, summary: string) {
  return operatorEndpoint({
    method: 'POST',
    path: `/ops/accounts/:id/first-owner/${name}`,
    operation: `${name}FirstOwner`,
    permission: 'accounts:propose',
    summary,
    description: consequences[name],
    body: invitedBody,
    example: invitedExample,
    answers: { 200: invitationAnswer },
    refusals: ['INVALID_STATE', 'NOT_FOUND'],
    handle: async (call, { bus, database }) => {
      const accountId = idIn(call, 'account');
      const { invitation_id: invitationId } = call.body;
      const act = actOf(call);
      requireConfirmed(act);
      // Who approved the token was shown the link, and would have both.
      if (name === 'confirm' && act.tokenApprovedBy) {
        throw new DomainError('PERMISSION_DENIED', 'a person confirms who enrolled, and no service token');
      }
      const invited = { realm, accountId } as const;
      const before = presentInvitation(await readInvitation(bus, invited, invitationId));
      const change = { action: `first-owner.${name}`, target: invitationId, accountId } as const;
      const { after } = await auditAcross(database, act, change, async () => {
        const decision = { ...invited, id: invitationId, by: inviterOf(act.responsible) };
        return { before, after: presentInvitation(await decideInvitation(bus, name, decision)) };
      });
      return { status: 200, body: { invitation: after } };
    },
  });
}

function presentPerson({ id, name, state, memberships, lastSignInAt }: Person, accountId: string) {
  const { roles = [], environments = [] } = memberships.find((each) => each.accountId === accountId) ?? {};
  return { id, name, state, roles, environments, last_sign_in_at: lastSignInAt };
}

function presentInvitation({ id, name, state, membership, passkeyLabel, subject, createdAt, endsAt }: Invitation) {
  const { roles = [], environments = [] } = membership ?? {};
  const times = { created_at: createdAt, ends_at: endsAt };
  return { id, name, state, roles, environments, passkey_label: passkeyLabel, subject, ...times };
}
