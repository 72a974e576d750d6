import { z } from 'zod';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import {
  beginRecovery,
  changeRoles,
  endSessions,
  listInvitations,
  listPeople,
  type Person,
} from '@gateway/contracts/identity';
import { requestText } from '@gateway/contracts/values';
import { type Askable, callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, memberEndpoint, type MemberCall, type MemberServices } from '#src/members/member-endpoint.ts';
import { presentTeamApproval } from '#src/members/present-team-approval.ts';
import { teamAuditEndpoints } from '#src/members/team-audit.ts';
import { audited, requireGrantable, requireReach, rights, type Rights } from '#src/members/team-change.ts';
import { presentInvitation, teamInvitationEndpoints } from '#src/members/team-invitations.ts';
import type { OwnerRequest } from '#src/proposals/make-owner.ts';

const realm = 'merchant';
const answer = z.record(z.string(), z.unknown());
const reasonSchema = requestText(1, 500);
const timeoutMs = 10_000;

export const teamEndpoints = [
  ...teamInvitationEndpoints,
  ...teamAuditEndpoints,
  memberEndpoint({
    method: 'GET',
    path: '/team',
    operation: 'listTeam',
    permission: 'team:read',
    summary: 'Who may sign in for the account, and who is invited',
    description: 'The people by name, the invitations newest first.',
    answers: { 200: answer },
    handle: async ({ member: { accountId } }, { bus }) => {
      const { people } = await callRpc(bus, listPeople, { realm, accountId });
      const { invitations } = await callRpc(bus, listInvitations, { realm, accountId });
      const shown = people.map((person) => presentPerson(person, accountId));
      return { status: 200, body: { people: shown, invitations: invitations.map(presentInvitation) } };
    },
  }),
  memberEndpoint({
    method: 'PATCH',
    path: '/team/:id',
    operation: 'updateTeamMember',
    permission: 'team:write',
    confirmed: true,
    summary: 'Change what a person may do in the account',
    description: 'At once; 202 with a proposal where the person becomes an owner, which another person decides.',
    body: z.strictObject(rights),
    answers: { 200: answer, 202: answer },
    timeoutMs,
    handle: async (call, services) => {
      requireGrantable(call, call.body);
      const person = await personIn(services.bus, call);
      const before = presentPerson(person, call.member.accountId);
      const { roles, environments } = call.body;
      if (roles.includes('owner') && gains(before, call.body)) {
        return await proposeOwner(
          call,
          services,
          { person_id: person.id, name: person.name, roles, environments },
          before,
        );
      }
      return { status: 200, body: await setRights(call, services, before, call.body) };
    },
  }),
  memberEndpoint({
    method: 'DELETE',
    path: '/team/:id',
    operation: 'deleteTeamMember',
    permission: 'team:write',
    confirmed: true,
    summary: 'Take a person out of the account',
    description: 'Within a second everywhere. 409 for the last owner.',
    answers: { 200: answer },
    timeoutMs,
    handle: async (call, services) => {
      const before = presentPerson(await personIn(services.bus, call), call.member.accountId);
      return { status: 200, body: await setRights(call, services, before, null) };
    },
  }),
  memberEndpoint({
    method: 'POST',
    path: '/team/:id/end-sessions',
    operation: 'revokeTeamSessions',
    permission: 'team:write',
    summary: 'End all sessions of a person of the account',
    description: 'Within a second everywhere; the person signs in again.',
    body: z.strictObject({}),
    answers: { 200: answer },
    handle: async (call, services) => {
      const { id } = await personIn(services.bus, call);
      const { after } = await audited(call, services, { action: 'team.end-sessions', target: id }, async () => {
        const { ended } = await callRpc(services.bus, endSessions, { realm, personId: id, by: call.member.person.id });
        return { before: null, after: { ended } };
      });
      return { status: 200, body: after };
    },
  }),
  memberEndpoint({
    method: 'POST',
    path: '/team/:id/reset',
    operation: 'replaceTeamCredentials',
    permission: 'team:write',
    confirmed: true,
    summary: 'Reset the sign-in of a colleague who has lost every credential',
    description:
      'Ends all sessions, removes passkeys, password and codes, and answers with a link, once, for enrolling anew; who does is ' +
      'then confirmed. A person with a part in another account too is reset by operators.',
    body: z.strictObject({ reason: reasonSchema }),
    answers: { 200: answer },
    timeoutMs,
    handle: async (call, services) => {
      const person = await personIn(services.bus, call);
      requireOwnPerson(call, person);
      const change = { action: 'team.reset', target: person.id } as const;
      const { link } = await audited(call, services, change, async () => {
        const request = { realm, personId: person.id, by: call.member.person.id, reason: call.body.reason } as const;
        const { invitationId, token, endsAt } = await callRpc(services.bus, beginRecovery, request);
        const after = { invitation_id: invitationId, ends_at: endsAt };
        return { before: null, after, link: { ...after, token } };
      });
      return { status: 200, body: link };
    },
  }),
];

/** Resetting is taking over, until the others notice: of a person who is in other accounts too it reaches these. */
function requireOwnPerson({ member }: MemberCall, { memberships }: Person): void {
  if (memberships.every(({ accountId }) => accountId === member.accountId)) return;
  throw new DomainError('INVALID_STATE', 'the person has a part in another account: operators reset the sign-in');
}

function gains(before: Rights, { roles, environments }: Rights): boolean {
  const isOwner = before.roles.includes('owner');
  return roles.includes('owner') && (!isOwner || environments.some((each) => !before.environments.includes(each)));
}

async function proposeOwner(
  call: MemberCall,
  { database, bus }: MemberServices,
  request: OwnerRequest,
  { roles, environments }: Rights,
) {
  const { accountId, environment } = call.member;
  if (environment !== 'live') throw new ValidationError([{ path: 'x-environment', message: 'must be live' }]);
  const approval = await database.transaction(async (tx) =>
    proposeApproval(tx, actOf(call, bus, true), {
      ...{ kind: 'team.owner', environment, accountId, target: request.person_id, request },
      ...{ before: { roles, environments }, reason: null },
    }),
  );
  return { status: 202, body: { approval: presentTeamApproval(approval, call.member) } };
}

async function setRights(
  call: MemberCall,
  services: MemberServices,
  before: ReturnType<typeof presentPerson>,
  wanted: Rights | null,
) {
  const { accountId, person } = call.member;
  const action = wanted ? 'team.change' : 'team.remove';
  const { after } = await audited(call, services, { action, target: before.id }, async () => {
    const request = { realm, personId: before.id, by: person.id, rights: { accountId, membership: wanted } } as const;
    const changed = await callRpc(services.bus, changeRoles, request);
    return { before, after: presentPerson(changed.person, accountId) };
  });
  return { person: after };
}

/**
 * Whom an operation changes.
 *
 * @throws NotFoundError for a person without a part in the account; DomainError PERMISSION_DENIED outside live mode for one
 *   with rights of live mode
 */
async function personIn(bus: Askable, { member, params: { id = '' } }: MemberCall): Promise<Person> {
  const { accountId } = member;
  if (!isId('person', id)) throw new NotFoundError('person');
  const { people } = await callRpc(bus, listPeople, { realm, accountId });
  const person = people.find((each) => each.id === id);
  if (!person) throw new NotFoundError('person');
  requireReach(member, person.memberships.find((each) => each.accountId === accountId)?.environments ?? []);
  return person;
}

function presentPerson(
  { id, name, state, memberships, passkeys, hasPassword, lastSignInAt }: Person,
  accountId: string,
) {
  const { roles = [], environments = [] } = memberships.find((each) => each.accountId === accountId) ?? {};
  return { id, name, state, roles, environments, passkeys, has_password: hasPassword, last_sign_in_at: lastSignInAt };
}
