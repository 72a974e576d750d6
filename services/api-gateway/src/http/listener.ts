import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '@gateway/runtime';
import {
  answerUnread,
  createHttpServer,
  errorBody as nativeErrorBody,
  securityHeaders,
  type EarlyListener,
  type ErrorBodyOf,
} from '@gateway/runtime/http';
import type { Caller } from '@gateway/contracts/accounts';
import type { DomainError } from '@gateway/contracts/errors';
import type { Principal } from '#src/http/principal.ts';
import { describeRequestSpan, spanning, withinRequestSpan } from '#src/http/request-span.ts';
import { validate } from '#src/http/validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the merchant API, once authenticated. */
    caller: Caller | null;
    /** Who calls the operator API, once authenticated. */
    operator: Principal | null;
  }
}

export interface ListenerOptions {
  readonly early: EarlyListener;
  readonly logger: Logger;
  readonly trustedProxies: readonly string[];
  /** Asked about each request before anything else is done for it, when only its head has been read. */
  readonly refusalBeforehand?: (request: IncomingMessage) => DomainError | undefined;
  /** Another error body than the native one. */
  readonly errorBody?: ErrorBodyOf;
}

/** A server whose routes are still to come. Until it is opened, requests are answered 503 with Retry-After. */
export interface Listener {
  readonly app: FastifyInstance;
  readonly open: () => Promise<void>;
}

/** Creates a server as both APIs of the gateway have it: one span and one log line per request, security headers, api.md's errors. */
export function createListener({
  early,
  logger,
  trustedProxies,
  refusalBeforehand,
  errorBody = nativeErrorBody,
}: ListenerOptions): Listener {
  const opened = Promise.withResolvers<void>();
  let isOpen = false;
  // Routes are complete once the server is ready; a request that arrives before waits those milliseconds.
  const whenOpen =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (isOpen) listener(request, response);
      else void opened.promise.then(() => listener(request, response));
    };
  const refusing =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      const refusal = refusalBeforehand?.(request);
      if (refusal) answerUnread(request, response, refusal, errorBody);
      else listener(request, response);
    };
  const app = createHttpServer({
    logger,
    trustedProxies,
    server: (listener) => early.adopt(refusing(spanning(whenOpen(listener)))),
    errorBody,
  });
  app.setValidatorCompiler(validate);
  // Answers are made by presenters whose types are the schemas; checking them again would only cost time.
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest('caller', null);
  app.decorateRequest('operator', null);
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(securityHeaders);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => withinRequestSpan(request.raw, done));
  app.addHook('onResponse', (request, reply, done) => {
    withinRequestSpan(request.raw, () => finish(request, reply.statusCode, reply.elapsedTime, logger));
    done();
  });
  const open = async (): Promise<void> => {
    await app.ready();
    isOpen = true;
    opened.resolve();
  };
  return { app, open };
}

/** The one log line of a request: no bodies, no queries, no credentials. */
function finish(request: FastifyRequest, status: number, elapsedMs: number, logger: Logger): void {
  const { method, routeOptions, id: reqId, caller, operator } = request;
  const route = routeOptions.url ?? 'unknown';
  const who = caller ? { accountId: caller.account.id } : operator === null ? {} : { operator: operator.name };
  // Any caller can cause refusals by address without limit, so they are counted by a metric and not logged.
  const isNoise = route === '/health' || (status === 429 && !caller);
  const level = isNoise ? 'debug' : 'info';
  logger[level]({ method, route, status, ms: Math.round(elapsedMs * 10) / 10, reqId, ...who }, 'request');
  describeRequestSpan(request.raw, `${method} ${route}`, () => ({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'gateway.request_id': reqId,
    ...(caller ? { 'gateway.account_id': caller.account.id } : {}),
  }));
}
