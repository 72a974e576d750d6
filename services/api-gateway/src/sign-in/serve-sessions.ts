import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@gateway/contracts/errors';
import type { Session } from '@gateway/contracts/identity';
import type { Bus } from '@gateway/messaging';
import { registerEndpoints } from '#src/http/endpoint.ts';
import { clientOf, type SessionGuard, type SessionInUse } from '#src/sessions/session-guard.ts';
import { credentialEndpoints } from '#src/sign-in/credentials.ts';
import { invitationEndpoints } from '#src/sign-in/invitations.ts';
import { sessionEndpoints } from '#src/sign-in/sessions.ts';
import type { SignInCall, SignInServices } from '#src/sign-in/sign-in-endpoint.ts';

interface SignInOptions {
  readonly guard: SessionGuard;
  readonly bus: Bus;
}

/** What the pages of a console call to sign in and out, and to change what their person signs in with. */
export function serveSessions(app: FastifyInstance, { guard, bus }: SignInOptions): void {
  const inUse = new WeakMap<FastifyRequest, SessionInUse>();
  const tokens = new WeakMap<FastifyRequest, SignInCall['keepToken']>();
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request, reply) => {
      guard.requireOwnPage(request);
      tokens.set(request, (token) => (token === null ? guard.cookie.clear(reply) : guard.cookie.set(reply, token)));
      void reply.header('cache-control', 'no-store');
      // An ended session is no reason to refuse the sign-in that follows it.
      const used = await guard.identify(request, reply).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'SESSION_ENDED' && isSignIn(request)) return undefined;
        throw error;
      });
      if (used) inUse.set(request, used);
    });
    const caller = (request: FastifyRequest) => ({
      realm: guard.realm,
      client: clientOf(request),
      keepToken: tokens.get(request),
      session: () => sessionOf(inUse.get(request)),
    });
    const rows = [...sessionEndpoints, ...credentialEndpoints, ...invitationEndpoints];
    registerEndpoints<SignInServices>(scope, rows, { caller, services: { bus } });
    done();
  });
}

function isSignIn({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return method === 'POST' && (url.startsWith('/session') || url.startsWith('/invitations'));
}

function sessionOf(used: SessionInUse | undefined): Session {
  if (!used) throw new DomainError('AUTH_REQUIRED', 'sign in first');
  return used.session;
}
