import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Readiness } from '#src/http/readiness.ts';
import { metricsText } from '#src/telemetry/metrics.ts';

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly readiness: Readiness;
}

/** `/health` (the process is up), `/ready` (its dependencies answer) and `/metrics`, on a port of its own. */
export async function startInternalServer(options: InternalServerOptions): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
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
    void options.readiness
      .report()
      .then((report) =>
        answer(response, report.ready ? 200 : 503, { status: report.ready ? 'ready' : 'waiting', ...report }),
      );
  });
  server.listen(options.port, options.host);
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
