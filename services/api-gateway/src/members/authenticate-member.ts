import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '@gateway/contracts/accounts';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import {
  type Grant,
  merchantGrant,
  type MerchantPermission,
  type Membership,
  type Session,
} from '@gateway/contracts/identity';
import { type Environment, environmentSchema } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { AccountEntity, freezesOf, toAccount, toFreeze } from '#src/accounts/account.ts';
import type { Person } from '#src/http/principal.ts';
import type { KeyLimits } from '#src/limits/key-limits.ts';
import { admitCaller } from '#src/merchant/authenticate-merchant.ts';
import type { SessionGuard } from '#src/sessions/session-guard.ts';

/** A person of a merchant's account, in the one account and the one environment of the request. */
export interface Member {
  readonly person: Person;
  /** As proposals and the audit trail have it. */
  readonly name: string;
  readonly accountId: string;
  readonly environment: Environment;
  /**
   * Whether the roles in that account give a permission in that environment.
   *
   * @param withSecond whether to have it with a second person is enough: to propose, never to do
   */
  readonly may: (permission: MerchantPermission, withSecond?: boolean) => boolean;
  /** Whether the session lasts, and the person has the same part in the account still. */
  readonly hasPart: () => Promise<boolean>;
}

export interface MemberGuards {
  readonly sessions: SessionGuard;
  readonly database: Database;
  readonly limits: KeyLimits;
}

/**
 * Admits a request of the merchants' console: by its cookie alone, for the account in `X-Account` in the environment in
 * `X-Environment`, with the rate of a key. Keys and tokens are not looked at.
 *
 * @throws DomainError AUTH_REQUIRED, SESSION_ENDED; PERMISSION_DENIED where the person has no part in the account or the
 *   environment; RATE_LIMITED, ACCOUNT_FROZEN, TEST_ONLY; ValidationError for headers that are missing or none
 */
export async function authenticateMember(
  { sessions, database, limits }: MemberGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Member> {
  const used = await sessions.identify(request, reply);
  if (!used) throw new DomainError('AUTH_REQUIRED', 'sign in first');
  const { session, keepToken, again } = used;
  const { accountId, environment } = chosenIn(request);
  const membership = membershipOf(session, accountId, environment);
  const caller = await callerIn(database, { accountId, environment, personId: session.personId });
  admitCaller(limits, caller, { request, reply });
  return {
    person: { id: session.personId, sessionId: session.id, keepToken },
    name: session.personName,
    accountId,
    environment,
    may: (permission, withSecond = false) =>
      isGiven(merchantGrant(membership.roles, permission), { environment, withSecond }),
    hasPart: async () => isSamePart(membership, membershipOf(await again(), accountId, environment)),
  };
}

function chosenIn({ headers }: FastifyRequest): { readonly accountId: string; readonly environment: Environment } {
  const { 'x-account': accountId, 'x-environment': given } = headers;
  if (typeof accountId !== 'string' || !isId('account', accountId)) {
    throw new ValidationError([{ path: 'x-account', message: 'must be the id of an account' }]);
  }
  const environment = environmentSchema.safeParse(given);
  if (!environment.success) throw new ValidationError([{ path: 'x-environment', message: 'must be test or live' }]);
  return { accountId, environment: environment.data };
}

/** The same refusal for an account of others and for one that is not there. */
function membershipOf({ memberships }: Session, accountId: string, environment: Environment): Membership {
  const membership = memberships.find((each) => each.accountId === accountId);
  if (membership?.environments.includes(environment)) return membership;
  throw noPart(environment);
}

function isSamePart({ roles }: Membership, { roles: now }: Membership): boolean {
  return roles.join() === now.join();
}

function noPart(environment: Environment): DomainError {
  return new DomainError('PERMISSION_DENIED', `the person has no part in ${environment} mode of the account`);
}

/** A permission that takes another person in live mode is one of test mode where nothing is proposed to them. */
function isGiven(
  grant: Grant | null,
  { environment, withSecond }: { readonly environment: Environment; readonly withSecond: boolean },
): boolean {
  if (grant === null) return false;
  if (environment === 'test' || (withSecond && grant === 'second_person')) return true;
  return grant !== 'test_only' && grant !== 'second_person';
}

interface Chosen {
  readonly accountId: string;
  readonly environment: Environment;
  readonly personId: string;
}

/** The account as it is now, so that a freeze is in force at once. The person is metered as a key of the account is. */
async function callerIn(database: Database, { accountId, environment, personId }: Chosen): Promise<Caller> {
  const account = await database.reader().findOne(AccountEntity, { id: accountId });
  if (!account) throw noPart(environment);
  return {
    account: toAccount(account),
    environment,
    publicKey: personId,
    apiVersion: '1.0',
    frozen: toFreeze(freezesOf(account)[environment]),
    scopes: null,
  };
}
