import type { ResolveFailure } from '#src/http/guarded-resolver.ts';

/** Why an attempt did not deliver (webhooks.md 8). Public: the `error` of a delivery. */
export type AttemptError =
  | ResolveFailure
  | 'invalid_url'
  | 'refused'
  | 'reset'
  | 'unreachable'
  | 'connect_timeout'
  | 'tls_expired'
  | 'tls_name'
  | 'tls_other'
  | 'timeout_headers'
  | 'protocol'
  | 'http_3xx'
  | 'http_4xx'
  | 'http_5xx'
  | 'gone'
  | 'rate_limited';

/** Milliseconds of the connection's making; null where a kept connection was used, or that far it never came. */
export interface ConnectionTimings {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; in base64 where it is none. */
  readonly body: string;
  readonly bodyBase64: boolean;
  /** More came, or was announced, than is kept. */
  readonly truncated: boolean;
  /** What the receiver asked for, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;
  /** `webhook-delivery: disable | abort-message` (Standard Webhooks): no more at all, or no more of this one. */
  readonly control: 'disable' | 'abort-message' | undefined;
}

/** What became of one call of a receiver. */
export interface Attempt {
  readonly delivered: boolean;
  readonly error: AttemptError | null;
  readonly startedAt: Date;
  /** Until the response's headers, or the failure: what the receiver is measured by. */
  readonly latencyMs: number;
  readonly totalMs: number;
  readonly timings: ConnectionTimings;
  readonly peerAddress: string | null;
  readonly reusedConnection: boolean;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly response: ReceivedResponse | null;
}
