import type { FastifyRequest } from 'fastify';
import { DomainError } from '@gateway/contracts/errors';
import type { Session } from '@gateway/contracts/identity';
import type { Logger } from '@gateway/runtime';
import type { EarlyListener } from '@gateway/runtime/http';
import { serveConsole, type ServedConsole } from '#src/console/serve-console.ts';
import { type ApiServices, registerEndpoints } from '#src/http/endpoint.ts';
import { createListener, type Listener } from '#src/http/listener.ts';
import { languageFor } from '#src/http/preferred-language.ts';
import type { Admission } from '#src/limits/admission.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { authenticateMember, type Member, type MemberGuards } from '#src/members/authenticate-member.ts';
import { authorizeMember, memberRoutes } from '#src/members/for-members.ts';
import type { MemberRow, MemberServices } from '#src/members/member-endpoint.ts';
import { ownAccountEndpoints } from '#src/members/own-accounts.ts';
import { admitting } from '#src/merchant/admit-request.ts';
import { askedIn, digestBodies } from '#src/sessions/confirmations.ts';
import { serveSessions } from '#src/sign-in/serve-sessions.ts';

export interface MemberListenerOptions {
  readonly early: EarlyListener;
  readonly guards: MemberGuards;
  readonly open: OpenLimits;
  readonly admission: Admission;
  readonly services: ApiServices<MemberServices>;
  /** The merchants' console; undefined where it is not served. */
  readonly pages: ServedConsole | undefined;
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
}

/**
 * The merchants' listener: the people of merchants sign in here, and call the merchant API by their session. No key and no
 * operator is known here, as no session of it is known at the other listeners.
 */
export function createMemberListener(options: MemberListenerOptions): Listener {
  const { early, guards, open, services, pages, trustedProxies, logger } = options;
  const listener = createListener({ early, logger, trustedProxies });
  const { app } = listener;
  // First: a page that is opened is no request that is refused.
  if (pages) serveConsole(app, pages);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) open.admit('refusals', request, reply).then(() => done(), done);
    else done();
  });
  serveSessions(app, { guard: guards.sessions, bus: services.bus });
  void app.register((scope, _options, done) => {
    const signedIn = new WeakMap<FastifyRequest, Session>();
    scope.addHook('onRequest', async (request, reply) => {
      const used = await guards.sessions.identify(request, reply);
      if (!used) throw new DomainError('AUTH_REQUIRED', 'sign in first');
      signedIn.set(request, used.session);
    });
    const caller = (request: FastifyRequest) => ({ session: signedIn.get(request) });
    registerEndpoints(scope, ownAccountEndpoints, { caller, services });
    done();
  });
  void app.register((scope, _options, done) => {
    const members = new WeakMap<FastifyRequest, Member>();
    const memberOf = (request: FastifyRequest): Member => {
      const member = members.get(request);
      if (!member) throw new Error('the request was not authenticated');
      return member;
    };
    scope.addHook('onRequest', async (request, reply) => {
      members.set(request, await authenticateMember(guards, request, reply));
    });
    digestBodies(scope);
    registerEndpoints<MemberServices, MemberRow>(scope, memberRoutes, {
      caller: (request) => callOf(request, memberOf(request)),
      authorize: (request, row) => authorizeMember(memberOf(request), row),
      admit: admitting(options.admission),
      services,
    });
    done();
  });
  // An answer without an end would keep the listener from closing.
  app.addHook('preClose', async () => services.changeStreams.end());
  return listener;
}

/** People are answered in the contract in which nothing is left out. */
function callOf(request: FastifyRequest, member: Member) {
  const { caller, headers, ip } = request;
  const language = languageFor(headers['accept-language']);
  const asked = askedIn(request);
  return {
    caller,
    member,
    asked,
    apiVersion: '1.0' as const,
    language,
    accept: headers.accept,
    lastEventId: undefined,
    address: ip,
  };
}
