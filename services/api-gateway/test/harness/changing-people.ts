import {
  changeRoles,
  createServiceToken,
  endSessions,
  revokeServiceToken,
  type ServiceToken,
  suspendPerson,
} from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable, WhenAsked } from './changing-services.ts';
import { operator } from './records.ts';

const createdAt = 1_767_000_000;

const serviceToken: ServiceToken = {
  ...{ id: newId('serviceToken'), name: 'nightly', scopes: ['records:read'], allowlist: [], createdBy: 'bootstrap' },
  approvedBy: null,
  ...{ createdAt, endsAt: createdAt + 86_400, lastUsedAt: null, revokedAt: null },
};

/** Identity, as far as operators change each other. */
export function changingPeople(whenAsked: WhenAsked): RpcRoute[] {
  const change = async <T>(changed: T): Promise<T> => {
    await whenAsked();
    return changed;
  };
  return [
    answering(changeRoles, () => change({ before: operator, person: { ...operator, roles: ['duty' as const] } })),
    answering(suspendPerson, () => change({ person: { ...operator, state: 'SUSPENDED' as const } })),
    answering(endSessions, () => change({ ended: 2 })),
    answering(createServiceToken, () => change({ serviceToken, token: 'opst_secret' })),
    answering(revokeServiceToken, () => change({ serviceToken: { ...serviceToken, revokedAt: createdAt } })),
  ];
}

const person = `/ops/people/${operator.id}`;

/** Changes that identity makes at once. */
export const peopleOperations: OperationTable = {
  'PATCH /ops/people/:id': () => ({
    ...{ path: person, body: { roles: ['duty'] }, action: 'person.change-roles' },
    ...{ before: { roles: ['duty', 'admin'] }, after: { roles: ['duty'] } },
  }),
  'POST /ops/people/:id/suspend': () => ({
    ...{ path: `${person}/suspend`, body: { reason: 'the laptop was stolen' }, action: 'person.suspend' },
    ...{ before: { state: 'ACTIVE' }, after: { state: 'SUSPENDED' } },
  }),
  'DELETE /ops/people/:id/sessions': () => ({
    ...{ path: `${person}/sessions`, action: 'person.end-sessions', before: null, after: { ended: 2 } },
  }),
  'POST /ops/service-tokens': () => ({
    ...{ path: '/ops/service-tokens', body: { name: 'nightly', scopes: ['records:read'] } },
    ...{ action: 'service-token.create', before: null, after: { name: 'nightly', revoked_at: null } },
  }),
  'DELETE /ops/service-tokens/:id': () => ({
    ...{ path: `/ops/service-tokens/${serviceToken.id}`, action: 'service-token.revoke' },
    ...{ before: { revoked_at: null }, after: { revoked_at: createdAt } },
  }),
};

/** Changes of people that two operators agree on. */
export const peopleProposals: OperationTable = {
  'POST /ops/accounts/:id/people/:personId/recover': async (gateway) => ({
    path: `/ops/accounts/${(await gateway.newAccount()).id}/people/${operator.id}/recover`,
    ...{ body: { reason: 'the phone was lost' }, action: 'approval.propose', before: null },
    ...{ after: { kind: 'account.recover-person', state: 'PROPOSED' }, also: ['team.propose-recovery'] },
  }),
  'POST /ops/invitations': () => ({
    ...{ path: '/ops/invitations', body: { name: 'davi.luz', roles: ['duty'] }, action: 'approval.propose' },
    ...{ before: null, after: { kind: 'person.invite', state: 'PROPOSED' } },
  }),
  'POST /ops/people/:id/reinstate': () => ({
    ...{ path: `${person}/reinstate`, body: { reason: 'it was found' }, action: 'approval.propose' },
    ...{ before: null, after: { kind: 'person.reinstate', state: 'PROPOSED' } },
  }),
  'POST /ops/people/:id/recover': () => ({
    ...{ path: `${person}/recover`, body: { reason: 'the phone was lost' }, action: 'approval.propose' },
    ...{ before: null, after: { kind: 'person.recover', state: 'PROPOSED' } },
  }),
};
