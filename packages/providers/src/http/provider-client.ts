import { Pool } from 'undici';
import type { z } from 'zod';
import type { Authorization } from '#src/http/authorization.ts';
import { CircuitBreaker, type CircuitPass, type CircuitState } from '#src/http/circuit-breaker.ts';
import { classify, errorCodeOf, readJson, readText, type CallOutcome } from '#src/http/classify.ts';
import { exchange, type Exchange, type HttpRequest } from '#src/http/exchange.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';

/**
 * Connections to one provider at most for orders, and as many for questions; calls beyond wait for one, within their deadline.
 * A question is mostly about money that has moved: it does not wait behind new charges.
 */
const connectionsMax = 32;
const idleConnectionMs = 10_000;
/** An answer is a record or a page of records. */
const answerBytesMax = 1024 * 1024;

const failuresToOpen = 5;
const circuitOpenMs = 10_000;

/** Client certificate and grade for providers behind mutual TLS; PEM texts, or a PKCS #12 in base64. */
export interface ClientTls {
  readonly certificate?: string;
  readonly privateKey?: string;
  readonly pkcs12?: string;
  readonly passphrase?: string;
  readonly authority?: string;
}

export interface ProviderClientOptions {
  /** Scheme, host and port, and the path all calls start with. */
  readonly baseUrl: URL;
  /** From the call until the last byte of the answer, waiting for a connection and for a token included. */
  readonly callTimeoutMs: number;
  readonly tls?: ClientTls;
  readonly nowMs: () => number;
  /** Called for every answer that does not fit the protocol, with its shape and nothing of its content. */
  readonly onUnreadable?: (cause: string) => void;
  readonly onExchange?: (seen: SeenExchange) => void;
}

/** What one call came to on the wire; nothing of its content, its query and its credentials. */
export interface SeenExchange {
  readonly method: HttpRequest['method'];
  readonly origin: string;
  /** Absent when no answer came. */
  readonly status?: number;
  /** Of the connection, where none stood or it broke: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly errorCode?: string;
  /** The provider's clock when it answered (`Date`), and ours. */
  readonly answeredAtMs?: number;
  readonly receivedAtMs: number;
}

type CallLimits = CallOptions & { readonly signal: AbortSignal };

export interface ProviderCall<T> {
  readonly method: HttpRequest['method'];
  /** Behind the base path, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form instead. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a good answer looks like; left out where its status says all. */
  readonly schema?: z.ZodType<T>;
  /** The answer is a text that is read as it is, up to so many bytes, and no JSON. */
  readonly textBytesMax?: number;
}

/** One provider's HTTP: pools of its own, a deadline over everything, a bound on every answer, one circuit breaker. */
export class ProviderClient implements AsyncDisposable {
  readonly #options: ProviderClientOptions;
  readonly #orders: Pool;
  readonly #questions: Pool;
  readonly #breaker: CircuitBreaker;

  constructor(options: ProviderClientOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker({ failuresToOpen, openMs: circuitOpenMs, nowMs: options.nowMs });
    this.#orders = poolOf(options);
    this.#questions = poolOf(options);
  }

  get circuit(): CircuitState {
    return this.#breaker.state;
  }

  /** Calls with the provider's authorization; a refused token is renewed once, under the same deadline. */
  async call<T>(
    authorization: Authorization,
    call: ProviderCall<T>,
    options: CallOptions = {},
  ): Promise<CallOutcome<T>> {
    const limits = { ...options, signal: this.#deadline(options) };
    const first = await this.#authorized(authorization, call, limits);
    const refusedHeader = isUnauthorized(first.outcome) ? first.used : undefined;
    if (refusedHeader === undefined || !authorization.refused(refusedHeader)) return first.outcome;
    return (await this.#authorized(authorization, call, limits)).outcome;
  }

  /** Calls without a token: of the endpoint of tokens itself, and where each call is signed on its own. */
  async callOpenly<T>(call: ProviderCall<T>, options: CallOptions = {}): Promise<CallOutcome<T>> {
    return await this.#send(call, {}, { signal: this.#deadline(options) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#orders.destroy(), this.#questions.destroy()]);
  }

  #deadline({ signal }: CallOptions): AbortSignal {
    const deadline = AbortSignal.timeout(this.#options.callTimeoutMs);
    return signal ? AbortSignal.any([signal, deadline]) : deadline;
  }

  async #authorized<T>(
    authorization: Authorization,
    call: ProviderCall<T>,
    limits: CallLimits,
  ): Promise<{ readonly outcome: CallOutcome<T>; readonly used?: string }> {
    const { signal } = limits;
    if (signal.aborted) return { outcome: { kind: 'not_sent', reason: 'aborted', cause: 'ended before the call' } };
    const token = await authorization.header(signal);
    if (token.kind === 'not_sent') return { outcome: token };
    return { outcome: await this.#send(call, { authorization: token.value }, limits), used: token.value };
  }

  async #send<T>(
    call: ProviderCall<T>,
    headers: Record<string, string>,
    { signal, beforeSending, onRequest }: CallLimits,
  ): Promise<CallOutcome<T>> {
    const pass = this.#breaker.enter();
    if (!pass) return circuitOpen(this.#breaker.retryAfterMs);
    if (beforeSending && !(await mayBeSent(pass, signal, beforeSending))) {
      return { kind: 'not_sent', reason: 'aborted', cause: 'called off before anything was sent' };
    }
    onRequest?.();
    const { baseUrl } = this.#options;
    const content = contentOf(call);
    const request: HttpRequest = {
      method: call.method,
      path: `${baseUrl.pathname.replace(/\/$/, '')}${call.path}`,
      headers: { accept: 'application/json', ...content?.headers, ...headers, ...call.headers },
      body: content?.body,
    };
    const result = await exchange(call.method === 'GET' ? this.#questions : this.#orders, baseUrl.origin, request, {
      signal,
      answerBytesMax: call.textBytesMax ?? answerBytesMax,
    });
    report(pass, result);
    this.#options.onExchange?.(seenOf(result, { method: call.method, origin: baseUrl.origin }));
    const outcome = classify(result, call.schema, call.textBytesMax === undefined ? readJson : readText);
    if (outcome.kind === 'unknown' && isUnreadable(result)) this.#options.onUnreadable?.(outcome.cause);
    return outcome;
  }
}

/** A call that is not made, and one whose time went by before it was, says nothing about the provider. */
async function mayBeSent(
  pass: CircuitPass,
  signal: AbortSignal,
  beforeSending: () => Promise<boolean>,
): Promise<boolean> {
  let isToBeSent = false;
  try {
    isToBeSent = (await beforeSending()) && !signal.aborted;
  } finally {
    if (!isToBeSent) pass.abandoned();
  }
  return isToBeSent;
}

function contentOf({ body, form }: ProviderCall<unknown>) {
  if (form) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: new URLSearchParams(form).toString() };
  }
  return body === undefined ? null : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** A provider that answers is there, whatever it says; one that is slower than its deadline is not. */
function report(pass: CircuitPass, result: Exchange): void {
  if (result.kind === 'answered') return result.status >= 500 ? pass.failed() : pass.succeeded();
  if (result.error.name === 'AbortError') return pass.abandoned();
  pass.failed();
}

function seenOf(result: Exchange, call: Pick<SeenExchange, 'method' | 'origin'>): SeenExchange {
  const receivedAtMs = Date.now();
  if (result.kind !== 'answered') return { ...call, errorCode: errorCodeOf(result.error), receivedAtMs };
  const answeredAtMs = Date.parse(String(result.headers['date']));
  return {
    ...call,
    status: result.status,
    ...(Number.isNaN(answeredAtMs) ? {} : { answeredAtMs }),
    receivedAtMs,
  };
}

/** A provider that says that it fails, or that it was too late, says what the protocol lets it say. */
function isUnreadable(result: Exchange): boolean {
  return result.kind === 'answered' && result.status < 500 && result.status !== 408 && result.status !== 425;
}

function circuitOpen(retryAfterMs: number): NotSent {
  return { kind: 'not_sent', reason: 'circuit_open', cause: 'too many failures in a row', retryAfterMs };
}

function isUnauthorized(outcome: CallOutcome<unknown>): boolean {
  return outcome.kind === 'not_sent' && outcome.reason === 'unauthorized';
}

/** Connections are opened by calls. */
function poolOf({ baseUrl, callTimeoutMs, tls }: ProviderClientOptions): Pool {
  return new Pool(baseUrl.origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleConnectionMs,
    // One deadline covers the whole call; undici's own are per phase and per chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: callTimeoutMs, ...connectTls(tls) },
  });
}

function connectTls(tls: ClientTls | undefined): object {
  if (!tls) return {};
  return {
    ...(tls.certificate ? { cert: tls.certificate } : {}),
    ...(tls.privateKey ? { key: tls.privateKey } : {}),
    ...(tls.pkcs12 ? { pfx: Buffer.from(tls.pkcs12, 'base64') } : {}),
    ...(tls.passphrase ? { passphrase: tls.passphrase } : {}),
    ...(tls.authority ? { ca: tls.authority } : {}),
  };
}
