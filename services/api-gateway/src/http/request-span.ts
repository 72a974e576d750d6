import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener } from 'node:http';
import { beginsTrace, SpanKind, spanIsAbout, withSpan, type TraceCarrier } from '@gateway/runtime';

type WithinSpan = <T>(work: () => T) => T;

interface RequestSpan {
  readonly within: WithinSpan;
  readonly describe: (name: string, attributes: Readonly<Record<string, string | number>>) => void;
}

const spans = new WeakMap<IncomingMessage, RequestSpan>();

/**
 * One span around each request, from its first header to the last byte of its answer. It begins a trace of its own, linked
 * to the one that comes in: which traces are kept is ours to choose.
 */
export function spanning(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!beginsTrace()) return listener(request, response);
    const linkedTo = carrierOf(request);
    void withSpan(`${request.method ?? ''} request`, { kind: SpanKind.SERVER, linkedTo }, async (span) => {
      spans.set(request, {
        within: AsyncLocalStorage.snapshot(),
        describe: (name, attributes) => span.updateName(name).setAttributes(attributes),
      });
      const closed = new Promise<void>((resolve) => response.once('close', resolve));
      listener(request, response);
      await closed;
    });
  };
}

/** Runs work within the span of a request: reading a body loses it, since its events come from the connection. */
export function withinRequestSpan<T>(request: IncomingMessage, work: () => T): T {
  const span = spans.get(request);
  return span ? span.within(work) : work();
}

/** Gives the span, if there is one, its name and attributes, once the route is known. */
export function describeRequestSpan(
  request: IncomingMessage,
  name: string,
  attributesOf: () => Readonly<Record<string, string | number>>,
): void {
  spans.get(request)?.describe(name, attributesOf());
}

/** Names the records that a request was about, once it is known that the caller may see them. */
export function nameRecords(request: IncomingMessage, operation: string, ...messages: readonly unknown[]): void {
  spans.get(request)?.within(() => spanIsAbout(operation, ...messages));
}

function carrierOf({ headers }: IncomingMessage): TraceCarrier {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return {};
  return { traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) };
}
