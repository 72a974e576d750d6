import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Json } from './merchant-client.ts';

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Trace ids of the spans it is linked to. */
  readonly links: readonly string[];
}

export interface OtlpCollector extends AsyncDisposable {
  readonly url: string;
  readonly spans: ReceivedSpan[];
}

/** Takes traces over OTLP/HTTP in JSON, as any OpenTelemetry collector does. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector listens on no TCP port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf(request: Json): ReceivedSpan[] {
  return request.resourceSpans.flatMap((resource: Json) => {
    const service = resource.resource.attributes.find((each: Json) => each.key === 'service.name').value.stringValue;
    return resource.scopeSpans
      .flatMap((scope: Json) => scope.spans)
      .map((span: Json) => ({
        service,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        name: span.name,
        links: (span.links ?? []).map((link: Json) => link.traceId),
      }));
  });
}
