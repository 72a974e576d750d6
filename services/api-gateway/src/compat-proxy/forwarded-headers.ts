import type { IncomingHttpHeaders } from 'node:http';

/** Headers that concern one connection (RFC 9110, 7.6.1), and those that the next hop gets from its own connection. */
const ownToTheConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'content-length'],
]);

/** Headers that a caller cannot set: the address it calls from, and the trace it is part of. */
const setByTheGateway = new Set(['forwarded', 'x-real-ip', 'x-request-id', 'traceparent', 'tracestate']);

/** Headers of a request as they may be passed on. */
export function passedOnHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return withoutConnection(headers, (name) => !setByTheGateway.has(name) && !name.startsWith('x-forwarded-'));
}

/** Headers of an answer as they may be passed back. */
export function passedBackHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return withoutConnection(headers, (name) => name !== 'x-request-id');
}

function withoutConnection(
  headers: IncomingHttpHeaders,
  keep: (name: string) => boolean,
): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ownToTheConnection.has(name) || named.has(name) || !keep(name)) continue;
    kept[name] = value;
  }
  return kept;
}
