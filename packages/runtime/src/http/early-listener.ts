import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import { accept } from '#src/http/accept.ts';
import { errorBody, errorHeaders, type ErrorBodyOf } from '#src/http/error-answer.ts';
import { headerFaultOf } from '#src/http/header-fault.ts';
import { requestIdOf } from '#src/http/request-id.ts';
import { serverTls, type InternalTls } from '#src/secrets/internal-tls.ts';
import { securityHeaders } from '#src/http/security-headers.ts';

/** A listening server whose real request listener may come later. */
export interface EarlyListener extends AsyncDisposable {
  readonly port: number;
  /** For `createHttpServer({ server })`: from then on its listener answers. */
  readonly adopt: (listener: RequestListener) => Server;
}

const idleSweepMs = 50;
/** Read and thrown away for the sake of the connection, when its request is refused. */
const refusedBodyBytesMax = 64 * 1024;
/** How often connections are looked at whose request is overdue. */
const slowCheckIntervalMs = 1_000;

export interface EarlyListenerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** How many sockets accept connections; more than one where crowds of clients may connect at once. */
  readonly acceptorsMax?: number;
  /** For a listener that only other services of ours call. */
  readonly tls?: InternalTls | undefined;
  /** Another error body than the native one, for dialects; the same as for `createHttpServer`. */
  readonly errorBody?: ErrorBodyOf;
}

/**
 * Listens at once and answers 503 with Retry-After until the real listener is there: while a service waits for its
 * database, its callers get that answer instead of a refused connection.
 */
export async function listenEarly(options: EarlyListenerOptions): Promise<EarlyListener> {
  const bodyOf = options.errorBody ?? errorBody;
  let listener: RequestListener = (request, response) =>
    answerUnread(request, response, new DomainError('SERVICE_UNAVAILABLE', 'the service is starting'), bodyOf);
  const settings = { connectionsCheckingInterval: slowCheckIntervalMs, requireHostHeader: false };
  const answer: RequestListener = (request, response) => {
    const fault = headerFaultOf(request);
    if (fault === undefined) return listener(request, response);
    response.shouldKeepAlive = false;
    answerUnread(request, response, new DomainError('VALIDATION_ERROR', fault), bodyOf);
  };
  const { tls } = options;
  const server = tls ? createTlsServer({ ...settings, ...serverTls(tls) }, answer) : createServer(settings, answer);
  // An expectation we do not know is no reason to refuse what was asked (RFC 9110, 10.1.1 leaves it to us).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const { port, acceptors } = await accept(server, options);
  return {
    port,
    adopt: (next) => {
      listener = next;
      return server;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeIdleConnections();
      if (!server.listening) return;
      const all = [server, ...acceptors];
      const ended = Promise.all(all.map((each) => new Promise((resolve) => each.once('close', resolve))));
      for (const each of all) each.close();
      // Node keeps a connection whose last answer came after `close` until its client leaves.
      const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
      await ended;
      clearInterval(sweep);
    },
  };
}

/** Ends a server that adopted a listener: requests under way are answered first, while what they need is still there. */
export function shutdownOf(app: { close(): Promise<unknown> }, listener: EarlyListener): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** Refuses a request of which only the head was read. A body that is large, or of unknown length, is not read at all. */
export function answerUnread(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: DomainError,
  bodyOf: ErrorBodyOf,
): void {
  const requestId = requestIdOf(request);
  if (!isShort(request)) response.shouldKeepAlive = false;
  const body = JSON.stringify(bodyOf(refusal, requestId, request.url ?? ''));
  response.writeHead(statusOf(refusal.code), {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...errorHeaders(refusal),
  });
  response.end(body);
}

function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= refusedBodyBytesMax;
}
