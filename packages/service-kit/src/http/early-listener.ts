import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { DomainError, newId } from '@gateway/contracts';
import { errorBody } from '#src/http/error-answer.ts';

/** A listening server whose real request listener may come later. */
export interface EarlyListener extends AsyncDisposable {
  readonly port: number;
  /** For `createHttpServer({ server })`: from then on its listener answers. */
  readonly adopt: (listener: RequestListener) => Server;
}

/**
 * Listens at once and answers 503 with Retry-After until the real listener is there: while a service waits for its
 * database, its callers are told so instead of being refused the connection.
 */
export async function listenEarly(options: { readonly host: string; readonly port: number }): Promise<EarlyListener> {
  let listener: RequestListener = answerStarting;
  let ready = false;
  const server = createServer((request, response) =>
    ready ? listener(request, response) : answerStarting(request, response),
  );
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
  return {
    port: address.port,
    adopt: (next) => {
      listener = next;
      ready = true;
      return server;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeIdleConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newId('request');
  const body = errorBody(new DomainError('SERVICE_UNAVAILABLE', 'the service is starting'), requestId);
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', 'x-request-id': requestId });
  response.end(JSON.stringify(body));
}
