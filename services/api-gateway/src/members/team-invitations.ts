import { z } from 'zod';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { createInvitation, type Invitation, listPeople, personNameSchema } from '@gateway/contracts/identity';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import { memberEndpoint } from '#src/members/member-endpoint.ts';
import { audited, requireGrantable, requireReach, rights } from '#src/members/team-change.ts';
import { decideInvitation, type InvitationDecision, readInvitation } from '#src/proposals/decide-invitation.ts';

const realm = 'merchant';
const answer = z.record(z.string(), z.unknown());
const timeoutMs = 10_000;

export const teamInvitationEndpoints = [
  memberEndpoint({
    method: 'POST',
    path: '/team/invitations',
    operation: 'createTeamInvitation',
    permission: 'team:write',
    confirmed: true,
    summary: 'Invite a person into the account',
    description:
      'The link is in this answer alone, and opens once within 24 hours; who enrols by it is then confirmed.',
    body: z.strictObject({ name: personNameSchema, ...rights }),
    answers: { 201: answer },
    timeoutMs,
    handle: async (call, services) => {
      const { name, roles, environments } = call.body;
      requireGrantable(call, call.body);
      if (roles.includes('owner')) {
        throw new ValidationError([
          { path: 'roles', message: 'must not have owner: two make a person an owner later' },
        ]);
      }
      const { accountId, person } = call.member;
      const membership = { accountId, roles, environments };
      const { after } = await audited(call, services, { action: 'team.invite', target: accountId }, async () => {
        const made = await callRpc(services.bus, createInvitation, { realm, name, membership, by: person.id });
        const invitation = presentInvitation(made.invitation);
        return { before: null, after: invitation, target: invitation.id, token: made.token };
      }).then(({ token, after: invitation }) => ({ after: { invitation, token } }));
      return { status: 201, body: after };
    },
  }),
  deciding('confirm'),
  deciding('revoke'),
];

function deciding(name: InvitationDecision) {
  return memberEndpoint({
    method: 'POST',
    path: `/team/invitations/:id/${name}`,
    operation: `${name}TeamInvitation`,
    permission: 'team:write',
    confirmed: name === 'confirm',
    summary:
      name === 'confirm' ? 'Confirm who enrolled by your invitation' : 'Close an invitation, or refuse who enrolled',
    description:
      name === 'confirm' ? 'By the inviter alone; the person may sign in then.' : 'Who enrolled by it is removed.',
    body: z.strictObject({}),
    answers: { 200: answer },
    timeoutMs,
    handle: async (call, services) => {
      const { accountId, person } = call.member;
      const { id = '' } = call.params;
      if (!isId('invitation', id)) throw new NotFoundError('invitation');
      const invited = { realm, accountId } as const;
      const invitation = await readInvitation(services.bus, invited, id);
      requireReach(call.member, await reachOf(services.bus, accountId, invitation));
      const before = presentInvitation(invitation);
      const change = { action: `team.${name}-invitation`, target: id } as const;
      const { after } = await audited(call, services, change, async () => {
        const decided = await decideInvitation(services.bus, name, { ...invited, id, by: person.id });
        return { before, after: presentInvitation(decided) };
      });
      return { status: 200, body: { invitation: after } };
    },
  });
}

/** Where the person has rights by it: those it gives, or those of the person who is reset. */
async function reachOf(bus: Askable, accountId: string, { membership, personId }: Invitation): Promise<Environment[]> {
  if (membership) return membership.environments;
  const { people } = await callRpc(bus, listPeople, { realm, accountId });
  const memberships = people.find(({ id }) => id === personId)?.memberships ?? [];
  return memberships.find((each) => each.accountId === accountId)?.environments ?? [];
}

export function presentInvitation({
  id,
  name,
  state,
  membership,
  passkeyLabel,
  subject,
  invitedBy,
  createdAt,
  endsAt,
  purpose,
}: Invitation) {
  const { roles = [], environments = [] } = membership ?? {};
  const times = { created_at: createdAt, ends_at: endsAt };
  return {
    id,
    name,
    state,
    purpose,
    roles,
    environments,
    passkey_label: passkeyLabel,
    subject,
    invited_by: invitedBy,
    ...times,
  };
}
