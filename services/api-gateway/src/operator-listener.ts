import type { FastifyRequest } from 'fastify';
import type { Logger } from '@gateway/runtime';
import type { EarlyListener } from '@gateway/runtime/http';
import { operatorApi } from '#src/description/apis.ts';
import { describe } from '#src/description/document.ts';
import { serveConsole, type ServedConsole } from '#src/console/serve-console.ts';
import { serveDescription } from '#src/description/serve.ts';
import { type ApiServices, registerEndpoints } from '#src/http/endpoint.ts';
import { createListener, type Listener } from '#src/http/listener.ts';
import type { Principal } from '#src/http/principal.ts';
import { authenticateOperator, type OperatorGuards } from '#src/operator/authenticate-person.ts';
import { forPeople } from '#src/operator/confirm-operation.ts';
import { authorize, type OperatorEndpointRow, type OperatorServices } from '#src/operator/operator-endpoint.ts';
import { operatorPageRoutes, operatorRoutes } from '#src/operator/routes.ts';
import { operatorReference } from '#src/reference/references.ts';
import { serveReference } from '#src/reference/serve-reference.ts';
import { askedIn, digestBodies } from '#src/sessions/confirmations.ts';
import { serveSessions } from '#src/sign-in/serve-sessions.ts';

export interface OperatorListenerOptions {
  readonly early: EarlyListener;
  readonly guards: OperatorGuards;
  readonly services: ApiServices<OperatorServices>;
  /** The operators' console; undefined where it is not served. */
  readonly pages: ServedConsole | undefined;
  /** Whose word for the address of an operator is taken. */
  readonly trustedProxies: readonly string[];
  /** Where a trace is seen; empty: nowhere. */
  readonly traceUrl: string;
  readonly logger: Logger;
}

/** The operator API, on a listener of its own. */
export function createOperatorListener(options: OperatorListenerOptions): Listener {
  const { early, guards, services, pages, trustedProxies, traceUrl, logger } = options;
  const listener = createListener({ early, logger, trustedProxies });
  const { app } = listener;
  // How operators reach the listener is not configured: the description names the address it is read from.
  const document = () => describe({ api: operatorApi, endpoints: operatorRoutes, urls: ['/'] });
  serveDescription(app, { path: '/openapi.json', document });
  serveReference(app, { bases: ['/docs'], references: () => [operatorReference(document())] });
  if (pages) serveConsole(app, pages);
  serveSessions(app, { guard: guards.sessions, bus: services.bus, traceUrl });
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request, reply) => {
      request.operator = await authenticateOperator(guards, request, reply);
    });
    digestBodies(scope);
    const routes = [...operatorRoutes, ...operatorPageRoutes].map(forPeople);
    registerEndpoints<OperatorServices, OperatorEndpointRow>(scope, routes, {
      caller: callerOf,
      authorize: (request, row) => authorize(principalOf(request), row),
      services,
    });
    done();
  });
  // An answer without an end would keep the listener from closing.
  app.addHook('preClose', async () => services.changeStreams.end());
  return listener;
}

function callerOf(request: FastifyRequest) {
  const { name: operator, ...principal } = principalOf(request);
  return { operator, ...principal, accept: request.headers.accept, asked: askedIn(request) };
}

/** There is one from the first hook on. */
function principalOf({ operator }: FastifyRequest): Principal {
  if (!operator) throw new Error('the request was not authenticated');
  return operator;
}
