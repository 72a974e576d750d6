import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@gateway/contracts/errors';
import type { Session } from '@gateway/contracts/identity';
import type { Bus } from '@gateway/messaging';
import { registerEndpoints } from '#src/http/endpoint.ts';
import type { TokenCookie } from '#src/sessions/session-cookie.ts';
import { clientOf, type SessionGuard, type SessionInUse } from '#src/sessions/session-guard.ts';
import { credentialEndpoints } from '#src/sign-in/credentials.ts';
import { invitationEndpoints } from '#src/sign-in/invitations.ts';
import { issuerEndpoints } from '#src/sign-in/issuers.ts';
import { sessionEndpoints } from '#src/sign-in/sessions.ts';
import type { SignInCall, SignInServices } from '#src/sign-in/sign-in-endpoint.ts';

interface SignInOptions {
  readonly guard: SessionGuard;
  readonly bus: Bus;
  /** As the setting has it; empty: nowhere. */
  readonly traceUrl?: string;
}

/** What the pages of a console call to sign in and out, and to change what their person signs in with. */
export function serveSessions(app: FastifyInstance, { guard, bus, traceUrl = '' }: SignInOptions): void {
  const inUse = new WeakMap<FastifyRequest, SessionInUse>();
  const keeping = new WeakMap<FastifyRequest, Pick<SignInCall, 'keepToken' | 'keepIssuerToken'>>();
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request, reply) => {
      guard.requireOwnPage(request);
      keeping.set(request, {
        keepToken: keepIn(guard.cookie, reply),
        keepIssuerToken: keepIn(guard.issuerCookie, reply),
      });
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
      traceUrl: traceUrl === '' ? null : traceUrl,
      ...keeping.get(request),
      issuerToken: guard.issuerCookie.read(request),
      parameters: request.url.split('?').slice(1).join('?'),
      session: () => sessionOf(inUse.get(request)),
    });
    const rows = [...sessionEndpoints, ...issuerEndpoints, ...credentialEndpoints, ...invitationEndpoints];
    registerEndpoints<SignInServices>(scope, rows, { caller, services: { bus } });
    done();
  });
}

function keepIn(cookie: TokenCookie, reply: FastifyReply): SignInCall['keepToken'] {
  return (token) => (token === null ? cookie.clear(reply) : cookie.set(reply, token));
}

function isSignIn({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  if (url.startsWith('/session/issuer')) return true;
  return method === 'POST' && (url.startsWith('/session') || url.startsWith('/invitations'));
}

function sessionOf(used: SessionInUse | undefined): Session {
  if (!used) throw new DomainError('AUTH_REQUIRED', 'sign in first');
  return used.session;
}
