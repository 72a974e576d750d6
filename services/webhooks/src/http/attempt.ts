import type { DeliveryError } from '@gateway/contracts/webhooks';
import { ResolveError } from '#src/http/guarded-resolver.ts';
import { TargetError } from '#src/http/target.ts';

/**
 * Why an attempt did not deliver. Public: the `error` of a delivery in the log (webhooks.md 8). The others of the table are of
 * deliveries that were not called.
 */
export type AttemptError = Exclude<
  DeliveryError,
  'expired' | 'endpoint_deleted' | 'body_expired' | 'deferred_by_breaker'
>;

/** Milliseconds of each step of connecting; null where a kept connection was used, or the step was not reached. */
export interface ConnectionTimings {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; in base64 where it is not text. */
  readonly body: string;
  readonly bodyBase64: boolean;
  /** The receiver sent, or announced, more than is kept. */
  readonly truncated: boolean;
  /** `Retry-After`, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;
  /** `webhook-delivery: disable | abort-message` (Standard Webhooks): no more at all, or no more of this one. */
  readonly control: 'disable' | 'abort-message' | undefined;
}

/** One call of a receiver and its result. */
export interface Attempt {
  readonly delivered: boolean;
  readonly error: AttemptError | null;
  readonly startedAt: Date;
  /** Until the response's headers, or the failure: the latency that the receiver is rated by. */
  readonly latencyMs: number;
  readonly totalMs: number;
  readonly timings: ConnectionTimings;
  readonly peerAddress: string | null;
  readonly reusedConnection: boolean;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly response: ReceivedResponse | null;
}

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

/** The class of a call without a response. An unknown failure of the wire is `protocol`. */
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
