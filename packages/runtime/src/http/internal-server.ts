import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Readiness } from '#src/http/readiness.ts';
import { serverTls, type InternalTls } from '#src/secrets/internal-tls.ts';
import { metricsText } from '#src/telemetry/metrics.ts';

const loopback = '127.0.0.1';

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly readiness: Readiness;
  readonly tls?: InternalTls | undefined;
}

/**
 * `/health` (the process is up), `/ready` (its dependencies answer) and `/metrics`, on a port of its own. Under
 * TLS the same is served in clear to this machine alone, on the next port: a container's health check speaks no TLS.
 */
export async function startInternalServer({ tls, ...options }: InternalServerOptions): Promise<AsyncDisposable> {
  if (!tls) return await listening(createServer(tellerOf(options)), options);
  await using servers = new AsyncDisposableStack();
  servers.use(await listening(createTlsServer(serverTls(tls), tellerOf(options)), options));
  if (options.host === loopback) return servers.move();
  const port = options.port === 0 ? 0 : options.port + 1;
  servers.use(await listening(createServer(tellerOf(options)), { host: loopback, port }));
  return servers.move();
}

function tellerOf({ readiness }: Pick<InternalServerOptions, 'readiness'>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === '/health') {
      answer(response, 200, { status: 'ok' });
      return;
    }
    if (request.url === '/metrics') {
      void metricsText().then(({ contentType, text }) => {
        response.writeHead(200, { 'content-type': contentType });
        response.end(text);
      });
      return;
    }
    if (request.url !== '/ready') {
      answer(response, 404, { status: 'unknown' });
      return;
    }
    void readiness
      .report()
      .then((report) =>
        answer(response, report.ready ? 200 : 503, { status: report.ready ? 'ready' : 'waiting', ...report }),
      );
  };
}

async function listening(
  server: Server,
  { host, port }: Pick<InternalServerOptions, 'host' | 'port'>,
): Promise<AsyncDisposable> {
  server.listen(port, host);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 503 ? { 'retry-after': '1' } : {}) });
  response.end(JSON.stringify(body));
}
