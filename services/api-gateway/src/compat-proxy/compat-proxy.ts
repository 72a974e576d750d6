import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Dispatcher, Pool } from 'undici';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import { currentTrace, type Logger } from '@gateway/runtime';
import { errorBody, type ErrorBodyOf, errorHeaders, refusalOf } from '@gateway/runtime/http';
import { ConnectorGuard } from '#src/compat-proxy/connector-guard.ts';
import { FairSlots } from '#src/limits/fair-slots.ts';
import { passedBackHeaders, passedOnHeaders } from '#src/compat-proxy/forwarded-headers.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';

const connectionsMax = 128;
/**
 * Requests that wait for the compat service at once. The number is fixed: how long they take is up to the provider,
 * for which the connector waits.
 */
const underWayMax = 512;
/** The connector's own deadline for a provider is far below it (api.md 4). */
const answerTimeoutMs = 25_000;
const connectTimeoutMs = 2_000;

export interface CompatProxyOptions {
  readonly url: string;
  /** Whom to believe that it is the compat service, where it speaks TLS. */
  readonly ca?: string | undefined;
  /** Paths handed to the compat service, with everything below them. */
  readonly prefixes: readonly string[];
  readonly logger: Logger;
  readonly open: OpenLimits;
}

/** Forwards the connector's paths to the compat service as they are, with the address of the caller. */
export function registerCompatProxy(
  app: FastifyInstance,
  { url, ca, prefixes, logger, open }: CompatProxyOptions,
): void {
  const connect = { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca }) };
  const pool = new Pool(url, { connections: connectionsMax, connect });
  const guard = new ConnectorGuard(open);
  const slots = new FairSlots(() => underWayMax);
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.setErrorHandler((error, request, reply) => answerInConnectorShape(error, request, reply, logger));
    scope.addHook('onClose', () => pool.close());
    // Without a type the router refuses a QUERY as 400; that there is no such method is for the service to say.
    scope.addHook('onRequest', (request, _reply, proceed) => {
      if (request.method === 'QUERY') request.headers['content-type'] ??= 'application/octet-stream';
      proceed();
    });
    scope.addHook('onRequest', (request) => guard.beforeBody(request));
    const ask = async (request: FastifyRequest, reply: FastifyReply) => {
      // The caller hung up while it waited for its turn: its slot would never be given back.
      if (reply.raw.closed) throw new DomainError('RATE_LIMITED', 'the caller has hung up');
      const giveBack = slots.take(guard.holderOf(request));
      reply.raw.once('close', giveBack);
      const response = await passOn(pool, request);
      guard.answered(request, response.statusCode);
      return response;
    };
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { statusCode, headers, body } = await guard.asking(request, () => ask(request, reply));
      return reply.code(statusCode).headers(passedBackHeaders(headers)).send(body);
    };
    for (const prefix of prefixes) for (const path of [prefix, `${prefix}/*`]) scope.all(path, handler);
    done();
  });
}

async function passOn(pool: Pool, request: FastifyRequest): Promise<Dispatcher.ResponseData> {
  return await pool
    .request({
      method: request.method,
      path: request.raw.url ?? '/',
      headers: {
        ...passedOnHeaders(request.headers),
        ...currentTrace(),
        'x-forwarded-for': request.ip,
        'x-request-id': request.id,
      },
      body: request.body instanceof Buffer ? request.body : null,
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    .catch((error: unknown) => {
      throw new DomainError('SERVICE_UNAVAILABLE', 'the connector service does not answer', {
        retryAfterSec: 1,
        cause: error,
      });
    });
}

/** Callers of these paths expect the connector's envelope, also when the service behind them does not answer. */
function answerInConnectorShape(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  const refusal = refusalOf(error);
  if (statusOf(refusal.code) >= 500) logger.warn({ err: error, reqId: request.id }, 'compat request not passed on');
  return reply
    .code(statusOf(refusal.code))
    .headers(errorHeaders(refusal))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(connectorErrorBody(refusal)));
}

/** The connector's envelope of a refusal (api.md 4). */
function connectorErrorBody(refusal: DomainError): object {
  return { success: false, data: null, errors: [refusal.message] };
}

/** Errors below a connector's prefix are answered in its envelope, all others in the native shape. */
export function publicErrorBody(connectorPrefixes: readonly string[]): ErrorBodyOf {
  return (refusal, requestId, target) => {
    const [path = ''] = target.split('?', 1);
    const speaksConnector = connectorPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    return speaksConnector ? connectorErrorBody(refusal) : errorBody(refusal, requestId);
  };
}
