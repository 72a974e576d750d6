import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { operatorGrant, resolveServiceToken, type ServiceToken } from '@gateway/contracts/identity';
import { type Bus, callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import type { Principal } from '#src/http/principal.ts';
import type { TokenGuard } from '#src/operator/authenticate-operator.ts';
import type { SessionGuard, SessionInUse } from '#src/sessions/session-guard.ts';

const serviceTokenForm = /^Bearer +(opst_\S+) *$/i;
const askMs = 2_000;

export interface OperatorGuards {
  readonly tokens: TokenGuard;
  readonly sessions: SessionGuard;
  readonly bus: Bus;
}

/**
 * Who calls the operator API: by a token in `Authorization`, which counts alone where it is there, or by a session.
 *
 * @throws DomainError AUTH_REQUIRED, AUTH_INVALID, AUTH_IP_BLOCKED, SESSION_ENDED, RATE_LIMITED
 */
export async function authenticateOperator(
  { tokens, sessions, bus }: OperatorGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    const used = await sessions.identify(request, reply);
    if (used) return personOf(used);
  }
  const [, serviceToken] = serviceTokenForm.exec(authorization ?? '') ?? [];
  if (serviceToken === undefined) return await tokens.authenticate(authorization, request.ip);
  return await tokens.counting(request.ip, () => automationOf(bus, serviceToken, request.ip));
}

function personOf({ session, keepToken, again }: SessionInUse): Principal {
  const { id: sessionId, personId: id, personName: name, roles, withheld } = session;
  return {
    name,
    grantOf: (permission) => (withheld.includes(permission) ? null : operatorGrant(roles, permission)),
    isShownAll: false,
    person: { id, sessionId, keepToken },
    responsible: id,
    tokenApprovedBy: null,
    isInForce: async () => (await again()).personId === id,
  };
}

/** A token is named by its id: no person, and no token that is configured, can have that name. */
async function automationOf(bus: Bus, token: string, address: string): Promise<Principal> {
  const request = { tokenDigest: hash('sha256', token), address };
  const { serviceToken } = await callRpc(bus.within(askMs), resolveServiceToken, request);
  const scopes: readonly string[] = serviceToken.scopes;
  return {
    name: serviceToken.id,
    grantOf: (permission) => (scopes.includes(permission) ? 'full' : null),
    isShownAll: false,
    person: null,
    ...responsibleFor(serviceToken),
    isInForce: async () =>
      (await callRpc(bus.within(askMs), resolveServiceToken, request)).serviceToken.revokedAt === null,
  };
}

/** Two people can use a token that writes: who proposed it, and who was shown it. Without both, no person answers for it. */
function responsibleFor({ createdBy, approvedBy }: ServiceToken): Pick<Principal, 'responsible' | 'tokenApprovedBy'> {
  if (approvedBy === null || !isId('person', createdBy)) return { responsible: null, tokenApprovedBy: null };
  return { responsible: createdBy, tokenApprovedBy: approvedBy };
}
