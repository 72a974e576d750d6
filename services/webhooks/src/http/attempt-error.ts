import type { AttemptError } from '#src/http/attempt.ts';
import { ResolveError } from '#src/http/guarded-resolver.ts';
import { TargetError } from '#src/http/target-url.ts';

/** The call took longer than a receiver may. */
export class DeadlineError extends Error {
  readonly connected: boolean;

  constructor(connected: boolean) {
    super('the receiver did not answer in time');
    this.name = 'DeadlineError';
    this.connected = connected;
  }
}

const byCode: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout_headers',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_name',
  EPROTO: 'tls_other',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_other',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_other',
};
const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_)/;

/** The class of a call that got no response. What is none of the known kinds came from the wire: `protocol`. */
export function attemptErrorOf(error: unknown): AttemptError {
  if (error instanceof ResolveError) return error.failure;
  if (error instanceof TargetError) return 'invalid_url';
  if (error instanceof DeadlineError) return error.connected ? 'timeout_headers' : 'connect_timeout';
  if (error instanceof AggregateError) return attemptErrorOf(error.errors[0]);
  if (!(error instanceof Error)) return 'protocol';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = byCode[code];
  if (known) return known;
  if (tlsCode.test(code)) return 'tls_other';
  return error.cause instanceof Error ? attemptErrorOf(error.cause) : 'protocol';
}

/** The class of a response that does not count as delivered; null for 2xx. */
export function statusErrorOf(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'http_5xx';
  return status >= 400 ? 'http_4xx' : 'http_3xx';
}
