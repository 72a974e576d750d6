import { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import {
  changeRoles,
  endSessions,
  listPeople,
  listSessions,
  listSignIns,
  operatorRoleSchema,
  type Person,
  suspendPerson,
} from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import { idSchema } from '@gateway/money';
import { approvalAnswerSchema, onlyPage, operatorReasonSchema, pageQuery } from '@gateway/public-api';
import type { Database } from '@gateway/persistence';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, idIn, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import {
  personAnswer,
  personSchema,
  presentOperator,
  presentSession,
  presentSignIn,
  sessionSchema,
  signInSchema,
} from '#src/operator/people-resources.ts';
import type { PersonRequest } from '#src/proposals/change-people.ts';
import { inviterOf } from '#src/proposals/invite-first-owner.ts';

const realm = 'operator';
const timeoutMs = 10_000;
const reasonBody = z
  .strictObject({ reason: operatorReasonSchema.describe('Why, for the other operators.') })
  .meta({ id: 'PersonChangeReason', description: 'Why a person is stopped, let in again or reset.' });
const rolesBody = z
  .strictObject({
    roles: z
      .array(operatorRoleSchema)
      .min(1)
      .max(5)
      .meta({ description: 'All the roles that the person is to have.', examples: [['duty']] }),
    reason: operatorReasonSchema.nullish().describe('Why, for the operator who approves it.'),
  })
  .meta({ id: 'OperatorUpdate', description: 'What a person is to be allowed.' });

export const peopleEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/people',
    operation: 'listOperators',
    permission: 'people:read',
    summary: 'List the people who operate, by name',
    description: 'Answers with their roles, what they sign in with, and when they signed in last.',
    answers: {
      200: z
        .object({ data: z.array(personSchema).describe('The people, by name.'), ...onlyPage })
        .meta({ id: 'OperatorList', description: 'Everybody who operates.' }),
    },
    handle: async (_call, { bus }) => {
      const { people } = await callRpc(bus, listPeople, { realm });
      return { status: 200, body: { data: people.map(presentOperator), next_cursor: null } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/people/:id',
    operation: 'getOperator',
    permission: 'people:read',
    summary: 'Read a person who operates, with the sessions that have not ended',
    description: 'Answers with the person, and with the place, the browser and the last use of each session.',
    answers: {
      200: personAnswer
        .extend({ sessions: z.array(sessionSchema).describe('The sessions, the latest first.') })
        .meta({ id: 'OperatorDetail', description: 'A person with the sessions that have not ended.' }),
    },
    handle: async (call, { bus }) => {
      const person = await personIn(bus, call);
      const { sessions } = await callRpc(bus, listSessions, { realm, personId: person.id });
      return { status: 200, body: { person: presentOperator(person), sessions: sessions.map(presentSession) } };
    },
  }),
  operatorEndpoint({
    method: 'PATCH',
    path: '/ops/people/:id',
    operation: 'updateOperator',
    permission: 'people:write',
    summary: 'Change the roles of a person: fewer at once, others by two',
    description:
      'Answers 202 with a proposal where the person gains a role, which another admin approves. Fewer roles are in force ' +
      'everywhere within a second. Two active admins always stay: otherwise 409 `INVALID_STATE`.',
    body: rolesBody,
    example: { roles: ['duty', 'treasurer'], reason: 'takes over from Bruno' },
    answers: { 200: personAnswer, 202: approvalAnswerSchema },
    timeoutMs,
    handle: async (call, { bus, database }) => {
      const before = await personIn(bus, call);
      const { roles, reason = null } = call.body;
      if (roles.some((role) => !before.roles.includes(role))) {
        const wanted = { person_id: before.id, name: before.name, roles };
        return await propose(database, call, { kind: 'person.roles', wanted, before: { roles: before.roles }, reason });
      }
      const person = await changed(database, call, 'person.change-roles', async (by) => {
        const request = { realm, personId: before.id, by, rights: { roles } } as const;
        const { person: after } = await callRpc(bus, changeRoles, request);
        return { before: presentOperator(before), after: presentOperator(after) };
      });
      return { status: 200, body: { person } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/people/:id/suspend',
    operation: 'suspendOperator',
    permission: 'people:write',
    summary: 'Suspend a person at once: all sessions end, and none begins',
    description:
      'In force everywhere within a second, by one person; two let the person in again. One of the last two admins cannot be ' +
      'suspended: 409 `INVALID_STATE`.',
    body: reasonBody,
    example: { reason: 'the laptop was stolen' },
    answers: { 200: personAnswer },
    timeoutMs,
    handle: async (call, { bus, database }) => {
      const before = await personIn(bus, call);
      const person = await changed(database, call, 'person.suspend', async (by) => {
        const asked = { realm, personId: before.id, by, reason: call.body.reason } as const;
        const { person: after } = await callRpc(bus, suspendPerson, asked);
        return { before: presentOperator(before), after: presentOperator(after) };
      });
      return { status: 200, body: { person } };
    },
  }),
  byTwo('reinstate', {
    operation: 'reinstateOperator',
    summary: 'Propose to let a suspended person in again',
    description: 'Answers 202 with a proposal, which another admin approves.',
    reason: 'the laptop was found',
  }),
  byTwo('recover', {
    operation: 'recoverOperator',
    summary: 'Propose to reset the sign-in of a person who has lost every credential',
    description:
      'Answers 202 with a proposal. Approving it ends all sessions, removes passkeys, password and codes, and shows a link for ' +
      'enrolling anew, once; who proposed it then confirms who enrolled. Neither of the two is the person.',
    reason: 'the phone was lost',
  }),
  operatorEndpoint({
    method: 'DELETE',
    path: '/ops/people/:id/sessions',
    operation: 'revokeOperatorSessions',
    permission: 'people:write',
    summary: 'End all sessions of a person',
    description: 'Within a second everywhere; the person signs in again.',
    answers: {
      200: z
        .object({ ended: z.int().meta({ description: 'How many sessions were ended.', examples: [2] }) })
        .meta({ id: 'EndedSessions', description: 'What was ended.' }),
    },
    handle: async (call, { bus, database }) => {
      const { id: personId } = await personIn(bus, call);
      const body = await changed(database, call, 'person.end-sessions', async (by) => {
        const { ended } = await callRpc(bus, endSessions, { realm, personId, by });
        return { before: null, after: { ended } };
      });
      return { status: 200, body };
    },
  }),
  operatorList({
    path: '/ops/sign-ins',
    operation: 'listSignIns',
    permission: 'people:read',
    summary: 'List sign-ins, refusals and changes of people, newest first',
    description:
      'Of operators, or with `realm=merchant` of the people of merchants, with where each request came from.',
    query: z.strictObject({
      ...pageQuery('signIn'),
      realm: z
        .enum(['operator', 'merchant'])
        .default(realm)
        .describe('Whose: operators’, or the people of merchants’.'),
      person_id: idSchema('person').optional().describe('Only those of this person.'),
      outcome: z.enum(['done', 'refused']).optional().describe('Only what was done, or only what was refused.'),
    }),
    name: 'sign-ins',
    schema: signInSchema,
    page: async ({ query: { realm: asked, person_id: personId, outcome } }, { bus }, page) => {
      const { signIns, nextCursor } = await callRpc(bus, listSignIns, { realm: asked, personId, outcome, ...page });
      return { data: signIns.map(presentSignIn), nextCursor };
    },
  }),
];

interface ByTwo {
  readonly operation: 'reinstateOperator' | 'recoverOperator';
  readonly summary: string;
  readonly description: string;
  readonly reason: string;
}

function byTwo(name: 'reinstate' | 'recover', { reason: example, ...notes }: ByTwo) {
  return operatorEndpoint({
    ...notes,
    method: 'POST',
    path: `/ops/people/:id/${name}`,
    permission: 'people:write',
    body: reasonBody,
    example: { reason: example },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const { id, name: personName, state } = await personIn(bus, call);
      const wanted = { person_id: id, name: personName };
      return await propose(database, call, {
        ...{ kind: `person.${name}`, wanted, before: { state }, reason: call.body.reason },
      });
    },
  });
}

interface Wanted {
  readonly kind: 'person.roles' | 'person.reinstate' | 'person.recover';
  readonly wanted: PersonRequest;
  readonly before: object;
  readonly reason: string | null | undefined;
}

async function propose(database: Database, call: OperatorCall, { kind, wanted, before, reason = null }: Wanted) {
  const subject = { kind, environment: null, accountId: null, target: wanted.person_id } as const;
  const approval = await database.transaction(async (tx) =>
    proposeApproval(tx, actOf(call), { ...subject, request: wanted, before, reason: reason ?? null }),
  );
  return { status: 202, body: { approval: presentApproval(approval) } };
}

/** What one person may do alone, confirmed, with its trace. */
async function changed<After extends object>(
  database: Database,
  call: OperatorCall,
  action: 'person.change-roles' | 'person.end-sessions' | 'person.suspend',
  work: (by: string) => Promise<{ readonly before: object | null; readonly after: After }>,
): Promise<After> {
  const act = actOf(call);
  requireConfirmed(act);
  const change = { action, target: call.params['id'] ?? '' };
  const { after } = await auditAcross(database, act, change, async () => await work(inviterOf(act.responsible)));
  return after;
}

/** @throws NotFoundError, also for one of the people of merchants */
async function personIn(bus: Askable, call: OperatorCall): Promise<Person> {
  const id = idIn(call, 'person');
  const { people } = await callRpc(bus, listPeople, { realm });
  const person = people.find((each) => each.id === id);
  if (!person) throw new NotFoundError('person');
  return person;
}
