import { hash, randomBytes } from 'node:crypto';
import { DomainError } from '@gateway/contracts/errors';
import {
  beginStepUp,
  checkSecondPerson,
  endSession,
  type Membership,
  type OperatorRole,
  resolveServiceToken,
  resolveSession,
  type ServiceToken,
  type Session,
  signInWithLink,
  useStepUp,
} from '@gateway/contracts/identity';
import { answering, type RpcRoute } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { Answered, GatewayUnderTest, RequestParts, Shown } from './start-gateway.ts';

export const origin = 'http://localhost:9080';
export const cookieName = 'ops-9080';
export const memberOrigin = 'http://localhost:8088';
export const memberCookieName = 'console-8088';

/** Identity as a test scripts it: who has which session, and what was confirmed. */
export class ScriptedIdentity {
  readonly sessions = new Map<string, Session>();
  readonly stepUps = new Map<string, string>();
  /** Whom a proposer may not have as second. */
  readonly dependents = new Set<string>();
  serviceToken:
    | ({ readonly token: string; readonly scopes: ServiceToken['scopes'] } & Partial<
        Pick<ServiceToken, 'createdBy' | 'approvedBy'>
      >)
    | undefined;
  resolved = 0;
  /** Where tokens and sessions were used from, the latest last. */
  readonly addresses: string[] = [];
  /** Whose sessions requests have kept alive. */
  readonly actives: string[] = [];
  rotateTo: string | null = null;

  signIn(name: string, roles: readonly OperatorRole[]): { readonly token: string; readonly session: Session } {
    return this.#begun(sessionOf(name, roles));
  }

  /** Signs a person of merchants in. */
  signInMember(name: string, memberships: readonly Membership[]) {
    return this.#begun({ ...sessionOf(name, []), realm: 'merchant', memberships: [...memberships] });
  }

  #begun(session: Session): { readonly token: string; readonly session: Session } {
    const token = randomBytes(32).toString('base64url');
    this.sessions.set(hash('sha256', token), session);
    return { token, session };
  }

  routes(): RpcRoute[] {
    return [
      answering(resolveSession, async ({ realm, tokenDigest, active }) => {
        this.resolved += 1;
        const session = this.sessions.get(tokenDigest);
        if (session?.realm !== realm) throw new DomainError('SESSION_ENDED', 'the session has ended');
        if (active) this.actives.push(session.personName);
        return { session, rotatedToken: active ? this.rotateTo : null };
      }),
      answering(signInWithLink, async ({ tokenDigest }) => {
        if (tokenDigest !== hash('sha256', 'l'.repeat(43))) throw new DomainError('SIGN_IN_REFUSED', 'no');
        return this.signIn('ana.lima', ['admin']);
      }),
      answering(endSession, async ({ sessionId }) => {
        for (const [digest, { id }] of this.sessions) if (id === sessionId) this.sessions.delete(digest);
        return {};
      }),
      answering(beginStepUp, async (asked) => {
        const stepUpId = newId('stepUp');
        this.stepUps.set(stepUpId, boundTo(asked));
        return { stepUpId, options: { challenge: 'c' }, password: false, endsAt: 0 };
      }),
      answering(useStepUp, async ({ stepUpId, ...used }) => {
        const bound = this.stepUps.get(stepUpId);
        this.stepUps.delete(stepUpId);
        if (bound !== boundTo(used)) throw new DomainError('STEP_UP_REQUIRED', 'the operation is not confirmed');
        return { rotatedToken: 'r'.repeat(43) };
      }),
      answering(checkSecondPerson, async ({ proposerId, deciderId }) => {
        const dependent = this.dependents.has(deciderId) ? ('by_proposer' as const) : null;
        const reason = proposerId === deciderId ? ('same_person' as const) : dependent;
        const [proposer] = [...this.sessions.values()].filter(({ personId }) => personId === proposerId);
        const known = proposer && { proposer: { state: 'ACTIVE' as const, roles: proposer.roles } };
        return { allowed: reason === null, reason, allowedFrom: null, ...known };
      }),
      answering(resolveServiceToken, async ({ tokenDigest, address }) => {
        this.addresses.push(address);
        const { token = '', scopes = [], createdBy = newId('person'), approvedBy = null } = this.serviceToken ?? {};
        if (tokenDigest !== hash('sha256', token)) throw new DomainError('AUTH_INVALID', 'no such token');
        const times = { createdAt: 0, endsAt: 2_000_000_000, lastUsedAt: null, revokedAt: null };
        const named = { id: newId('serviceToken'), name: 'nightly', createdBy, approvedBy };
        return { serviceToken: { ...named, ...times, scopes: [...scopes], allowlist: [] } };
      }),
    ];
  }
}

function boundTo({
  sessionId,
  operation,
  target,
  bodyDigest,
}: Record<'sessionId' | 'operation' | 'target' | 'bodyDigest', string>) {
  return [sessionId, operation, target, bodyDigest].join(' ');
}

function sessionOf(name: string, roles: readonly OperatorRole[]): Session {
  return {
    ...{ id: newId('session'), realm: 'operator', personId: newId('person'), personName: name, roles: [...roles] },
    ...{ memberships: [], withheld: [], factor: 'passkey', address: '127.0.0.1', userAgent: 'test' },
    ...{ createdAt: 0, lastSeenAt: 0, idleEndsAt: 2_000_000_000, endsAt: 2_000_000_000, stepUpFrom: 0 },
  };
}

/** Headers of a page of the console. */
export const ownPage = {
  origin,
  'sec-fetch-site': 'same-origin',
  'x-console': '1',
  'content-type': 'application/json',
};

/** What a page of the console is answered beside what automation is. */
interface ShownToPage extends Omit<Shown, 'payout'> {
  readonly session: { readonly permissions: Readonly<Record<string, string>> };
  readonly payout: { readonly status: string };
  readonly error: Shown['error'] & { readonly step_up_id: string; readonly step_up_passkey: string };
}

type AnsweredPage = Omit<Answered, 'body'> & { readonly body: ShownToPage };

/** A person who signs in, confirms what is to be confirmed, and has a passkey for it. */
export function personAt(
  gateway: GatewayUnderTest,
  identity: ScriptedIdentity,
  name: string,
  role: OperatorRole = 'treasurer',
) {
  const { token, session } = identity.signIn(name, [role]);
  const call = browserOf(gateway, token);
  /** Calls, and confirms what is asked to be confirmed. */
  const confirmed = async (
    method: string,
    path: string,
    body?: object,
    other: { path?: string; body?: object } = {},
  ) => {
    const asked = await call(method, path, { body });
    if (asked.body.error?.code !== 'STEP_UP_REQUIRED') return asked;
    return await call(method, other.path ?? path, {
      body: other.body ?? body,
      headers: { 'x-step-up': stepUpOf(asked.body.error.step_up_id) },
    });
  };
  return { call, confirmed, id: session.personId };
}

const encoded = 'AAAA';

/** The header that confirms what an answer asked for. */
export function stepUpOf(stepUpId: string): string {
  const response = { clientDataJSON: encoded, authenticatorData: encoded, signature: encoded };
  const passkey = { id: encoded, rawId: encoded, type: 'public-key', clientExtensionResults: {}, response };
  return Buffer.from(JSON.stringify({ stepUpId, answer: { kind: 'passkey', passkey } })).toString('base64url');
}

/** A browser with the cookie of a session. */
export function browserOf(gateway: Pick<GatewayUnderTest, 'opsUrl'>, token: string) {
  return pageAt(gateway.opsUrl, { ...ownPage }, `${cookieName}=${token}`);
}

/** A browser with the cookie of a session at the merchants' console. */
export function memberBrowserOf(gateway: Pick<GatewayUnderTest, 'consoleUrl'>, token: string) {
  return pageAt(gateway.consoleUrl, { ...ownPage, origin: memberOrigin }, `${memberCookieName}=${token}`);
}

function pageAt(url: string, page: Record<string, string>, cookie: string) {
  return async (method: string, path: string, { headers, body }: RequestParts = {}): Promise<AnsweredPage> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(method === 'GET' ? {} : page), cookie, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const shown = JSON.parse(text.startsWith('{') ? text : '{}') as ShownToPage;
    return { status: answer.status, headers: answer.headers, text, body: shown };
  };
}
