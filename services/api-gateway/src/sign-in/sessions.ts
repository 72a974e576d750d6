import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  authenticationAnswerSchema,
  beginSignIn,
  endSession,
  endSessions,
  finishSignIn,
  listSessions,
  merchantGrant,
  merchantPermissions,
  type MerchantPermission,
  operatorGrant,
  type OperatorPermission,
  operatorPermissions,
  personNameSchema,
  type Session,
  signInWithLink,
  signInWithPassword,
  signInWithRecoveryCode,
  tokenSchema,
  totpCodeSchema,
  typedPasswordSchema,
} from '@gateway/contracts/identity';
import { callRpc } from '@gateway/messaging';
import { idSchema } from '@gateway/money';
import { type SignInCall, signInEndpoint } from '#src/sign-in/sign-in-endpoint.ts';

/** A password is hashed after those that wait before it. */
const passwordTimeoutMs = 10_000;

const sessionBody = z.object({ session: z.unknown() });
const challengeBody = z.object({ challenge_id: z.string(), options: z.record(z.string(), z.unknown()) });

export const sessionEndpoints = [
  signInEndpoint({
    method: 'POST',
    path: '/session/passkey/begin',
    operation: 'createSignInChallenge',
    summary: 'Begin to sign in by a passkey',
    description: 'Answers with what `navigator.credentials.get` is called with; for one sign-in within five minutes.',
    body: z.object({}),
    answers: { 200: challengeBody },
    handle: async ({ realm, client }, { bus }) => {
      const { challengeId, options } = await callRpc(bus, beginSignIn, { realm, client });
      return { status: 200, body: { challenge_id: challengeId, options } };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/session/passkey',
    operation: 'createSession',
    summary: 'Sign in by a passkey',
    description: 'A passkey with user verification is both factors. The answer sets the cookie of the session.',
    body: z.object({ challenge_id: idSchema('challenge'), answer: authenticationAnswerSchema }),
    answers: { 200: sessionBody },
    handle: async (call, { bus }) => {
      const { challenge_id: challengeId, answer } = call.body;
      const { realm, client } = call;
      return signedIn(call, await callRpc(bus, finishSignIn, { realm, client, challengeId, answer }));
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/session/password',
    operation: 'createSessionByPassword',
    summary: 'Sign in by a password and a time-based code',
    description: 'Both in one request; the answer is the same for whatever is wrong.',
    timeoutMs: passwordTimeoutMs,
    body: z.object({ name: personNameSchema, password: typedPasswordSchema, code: totpCodeSchema }),
    answers: { 200: sessionBody },
    handle: async (call, { bus }) => {
      const { realm, client } = call;
      return signedIn(call, await callRpc(bus, signInWithPassword, { realm, client, ...call.body }));
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/session/recovery',
    operation: 'createSessionByRecoveryCode',
    summary: 'Sign in by a recovery code, each once',
    description: 'Such a session confirms no operation, and neither does what is enrolled in it for 24 hours.',
    timeoutMs: passwordTimeoutMs,
    body: z.object({ name: personNameSchema, code: z.string().min(1).max(40) }),
    answers: { 200: sessionBody },
    handle: async (call, { bus }) => {
      const { realm, client } = call;
      return signedIn(call, await callRpc(bus, signInWithRecoveryCode, { realm, client, ...call.body }));
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/session/link',
    operation: 'createSessionByLink',
    summary: "Sign in by a link that a developer's machine printed, once",
    description: 'Refused wherever such links are not made: everywhere but on loopback.',
    body: z.object({ token: tokenSchema }),
    answers: { 200: sessionBody },
    handle: async (call, { bus }) => {
      const { realm, client } = call;
      const tokenDigest = hash('sha256', call.body.token);
      return signedIn(call, await callRpc(bus, signInWithLink, { realm, client, tokenDigest }));
    },
  }),
  signInEndpoint({
    method: 'GET',
    path: '/session',
    operation: 'getSession',
    summary: 'Who is signed in, with their permissions',
    description: 'Answers with the person of the session, what they may do, and when the session ends.',
    answers: { 200: sessionBody },
    handle: async (call) => ({ status: 200, body: { session: presentSession(call.session(), call) } }),
  }),
  signInEndpoint({
    method: 'DELETE',
    path: '/session',
    operation: 'deleteSession',
    summary: 'Sign out',
    description: 'Ends the session everywhere within a second.',
    answers: { 204: null },
    handle: async ({ realm, session, keepToken }, { bus }) => {
      const { id: sessionId, personId } = session();
      await callRpc(bus, endSession, { realm, personId, sessionId, by: personId });
      keepToken(null);
      return { status: 204 };
    },
  }),
  signInEndpoint({
    method: 'GET',
    path: '/sessions',
    operation: 'listSessions',
    summary: 'The sessions of the person who is signed in',
    description: 'Each with its address, browser and last use.',
    answers: { 200: z.object({ data: z.array(z.unknown()) }) },
    handle: async ({ realm, session }, { bus }) => {
      const { id: current, personId } = session();
      const { sessions } = await callRpc(bus, listSessions, { realm, personId });
      return { status: 200, body: { data: sessions.map((each) => presentOwn(each, current)) } };
    },
  }),
  signInEndpoint({
    method: 'DELETE',
    path: '/sessions',
    operation: 'deleteOtherSessions',
    summary: 'End all other sessions of the person who is signed in',
    description: 'They end everywhere within a second.',
    answers: { 200: z.object({ ended: z.int() }) },
    handle: async ({ realm, session }, { bus }) => {
      const { id: except, personId } = session();
      const { ended } = await callRpc(bus, endSessions, { realm, personId, except, by: personId });
      return { status: 200, body: { ended } };
    },
  }),
];

function signedIn(call: SignInCall, { token, session }: { readonly token: string; readonly session: Session }) {
  call.keepToken(token);
  return { status: 200, body: { session: presentSession(session, call) } };
}

function presentSession(session: Session, { traceUrl }: Pick<SignInCall, 'traceUrl'>) {
  return {
    ...presentOwn(session, session.id),
    person: { id: session.personId, name: session.personName, roles: session.roles },
    permissions: session.realm === 'operator' ? operatorRights(session) : {},
    accounts: session.memberships.map(({ accountId, roles, environments }) => ({
      account_id: accountId,
      roles,
      environments,
      permissions: merchantRights(roles),
    })),
    /** Permissions that wait for another passkey. */
    withheld: session.withheld,
    /** Beside the moment of it: the clock of a browser may be wrong. */
    idle_left_sec: Math.max(0, session.idleEndsAt - Math.floor(Date.now() / 1_000)),
    trace_url: traceUrl,
  };
}

function operatorRights({ roles, withheld }: Session) {
  const names = Object.keys(operatorPermissions) as OperatorPermission[];
  const given = names.filter((name) => !withheld.includes(name)).map((name) => [name, operatorGrant(roles, name)]);
  return Object.fromEntries(given.filter(([, grant]) => grant !== null)) as Record<string, string>;
}

function merchantRights(roles: Session['memberships'][number]['roles']) {
  const names = Object.keys(merchantPermissions) as MerchantPermission[];
  const given = names.map((name) => [name, merchantGrant(roles, name)]);
  return Object.fromEntries(given.filter(([, grant]) => grant !== null)) as Record<string, string>;
}

function presentOwn(session: Session, current: string) {
  return {
    id: session.id,
    is_current: session.id === current,
    factor: session.factor,
    address: session.address,
    user_agent: session.userAgent,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    idle_ends_at: session.idleEndsAt,
    ends_at: session.endsAt,
    confirms_from: session.stepUpFrom,
  };
}
