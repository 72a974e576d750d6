import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { AllowedMethods } from '#src/http/allowed-methods.ts';
import { errorBody, errorHeaders, refusalOf, type ErrorBodyOf } from '#src/http/error-answer.ts';
import { dropForwardedPorts } from '#src/http/forwarded-addresses.ts';
import { acceptOnlyJson, type ReadExponent } from '#src/http/json-body.ts';
import { requestIdOf } from '#src/http/request-id.ts';
import { securityHeaders } from '#src/http/security-headers.ts';
import type { Logger } from '#src/telemetry/logger.ts';
import { histogram } from '#src/telemetry/metrics.ts';

const bodyBytesMaxDefault = 64 * 1024;
const requestTimeoutMs = 30_000;
/** For the headers alone: a client that sends them byte by byte holds a connection no longer than this. */
const headersTimeoutMs = 10_000;
const connectionIdleTimeoutMs = 65_000;

const duration = histogram('gateway_http_duration_seconds', 'Time to answer, by route, method and status', [
  'route',
  'method',
  'status',
]);

export interface HttpServerOptions {
  readonly logger: Logger;
  readonly bodyBytesMax?: number;
  /** Addresses of proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies?: readonly string[];
  /** Hands the request listener to a server that exists already. */
  readonly server?: (listener: RequestListener) => Server;
  /** Another error body than the native one, for dialects. */
  readonly errorBody?: ErrorBodyOf;
  /** For dialects to which `1e2` is not 100. */
  readonly readExponent?: ReadExponent;
}

/**
 * An HTTP server with the manners of api.md 1: zod validation naming every field, one error shape, request ids,
 * 404, 405 with Allow, 413, 415, and no message of ours in a 500.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const send = refusalSender(options);
  const app = fastify({
    bodyLimit: options.bodyBytesMax ?? bodyBytesMaxDefault,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    genReqId: requestIdOf,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: connectionIdleTimeoutMs,
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: true },
    // What the router cannot read (a broken percent escape, an endless path member) is no route of ours.
    frameworkErrors: (_error, request, reply) => {
      // No hook runs for these.
      void reply.headers({ ...securityHeaders, 'x-request-id': request.id });
      void send(reply, noSuchRoute(request));
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, options.errorBody ?? errorBody),
    ...(options.server ? { serverFactory: options.server } : {}),
  });
  // Set here as well: a server that existed already keeps its own times.
  Object.assign(app.server, {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: connectionIdleTimeoutMs,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptOnlyJson(app, options.readExponent);
  app.addHook('onRequest', (request, reply, done) => {
    dropForwardedPorts(request.raw.headers);
    void reply.header('x-request-id', request.id);
    done();
  });
  answerErrors(app, options.logger, send);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    // How long a stream of events lasts says nothing about us.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return done();
    const attributes = { route: routeOptions.url ?? 'unknown', method, status: reply.statusCode };
    duration.record(reply.elapsedTime / 1_000, attributes);
    done();
  });
  return app;
}

type SendRefusal = (reply: FastifyReply, refusal: DomainError) => FastifyReply;

function refusalSender(options: HttpServerOptions): SendRefusal {
  const bodyOf = options.errorBody ?? errorBody;
  return (reply, refusal) =>
    reply
      .code(statusOf(refusal.code))
      .headers(errorHeaders(refusal))
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(bodyOf(refusal, reply.request.id, reply.request.url)));
}

/** Of a path that leads nowhere, so that its answer stays short. */
const pathCharactersShown = 200;

/** Names what was asked for, without its query, which may hold what is secret. */
function noSuchRoute({ method, url }: FastifyRequest): DomainError {
  const [path = ''] = url.split('?', 1);
  return new DomainError('NOT_FOUND', `no such route: ${method} ${path.slice(0, pathCharactersShown)}`);
}

function answerErrors(app: FastifyInstance, logger: Logger, send: SendRefusal): void {
  const allowed = new AllowedMethods();
  app.addHook('onRoute', (route) => allowed.add(route.url, route.method));
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = allowed.of(request.url);
    if (methods.length === 0 || methods.includes(request.method)) return send(reply, noSuchRoute(request));
    void reply.header('allow', methods.join(', '));
    return send(reply, new DomainError('METHOD_NOT_ALLOWED', `use ${methods.join(' or ')}`));
  };
  app.setNotFoundHandler(answerNotFound);
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply) => {
    const refusal = refusalOf(error);
    // What is wrong with the body of a request that leads nowhere does not matter.
    if (request.is404 && refusal.code !== 'RATE_LIMITED') return answerNotFound(request, reply);
    const log = { err: error, reqId: request.id, route: request.routeOptions.url, method: request.method };
    if (refusal.code === 'INTERNAL_ERROR') logger.error(log, 'request failed');
    else if (statusOf(refusal.code) >= 500) logger.warn(log, 'request refused');
    return send(reply, refusal);
  });
}

/**
 * Ends of a connection that are not answered: of one on which no request came in time, too. Browsers keep such connections
 * ready, and would take an answer to it for the answer to what they ask next.
 */
const endsWithoutAnswer = new Set(['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT']);

/** What the parser cannot read never becomes a request; it is answered on the bare connection, in the same shape. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, bodyOf: ErrorBodyOf): void {
  if (!socket.writable || endsWithoutAnswer.has(error.code ?? '')) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const requestId = newId('request');
  const message = tooLarge ? 'the headers are too large' : 'the request is not valid HTTP';
  const body = JSON.stringify(bodyOf(new DomainError('VALIDATION_ERROR', message), requestId, ''));
  socket.end(
    [
      tooLarge ? 'HTTP/1.1 431 Request Header Fields Too Large' : 'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
