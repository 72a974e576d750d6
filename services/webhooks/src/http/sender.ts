import { Agent } from 'undici';
import { maskedHeaderValue, type CustomHeaders } from '@gateway/contracts';
import { attemptErrorOf, statusErrorOf } from '#src/http/attempt-error.ts';
import type { Attempt, ReceivedResponse } from '#src/http/attempt.ts';
import { Call, type CallResponse } from '#src/http/call.ts';
import { createConnector, type ConnectorOptions } from '#src/http/connector.ts';
import { requestHeaders } from '#src/http/request-headers.ts';
import { retryAfterMs } from '#src/http/retry-after.ts';
import { hostOf, parseTarget, type TargetRules } from '#src/http/target-url.ts';

/** How long a receiver may take to answer, name resolution and connecting included (spec 6, rule 1). */
const deliveryTimeoutMsDefault = 7_000;
const keepAliveMs = 15_000;
/** Receivers may ask to keep a connection longer, not to pin it. */
const keepAliveMaxMsDefault = 30_000;
const responseHeaderBytesMax = 16_384;
const loggedHeaderCharactersMax = 8_192;

export interface SenderOptions extends ConnectorOptions {
  readonly rules: TargetRules;
  readonly deliveryTimeoutMs?: number;
  readonly keepAliveMaxMs?: number;
}

export interface Outgoing {
  readonly url: string;
  readonly secret: string;
  readonly nextSecret?: string | undefined;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly attempt: number;
  /** The endpoint's own; the gateway's win. */
  readonly customHeaders?: CustomHeaders | undefined;
  readonly body: Buffer;
}

/** Calls receivers. It never throws: whatever happens is an attempt with its error class. */
export class Sender implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #rules: TargetRules;
  readonly #deliveryTimeoutMs: number;

  constructor(options: SenderOptions) {
    const { keepAliveMaxMs = keepAliveMaxMsDefault } = options;
    this.#rules = options.rules;
    this.#deliveryTimeoutMs = options.deliveryTimeoutMs ?? deliveryTimeoutMsDefault;
    this.#agent = new Agent({
      connect: createConnector(options),
      // Endpoints of different merchants may share a host; how many calls each may have at once is its lane's business.
      connections: null,
      pipelining: 1,
      allowH2: false,
      headersTimeout: this.#deliveryTimeoutMs * 2,
      bodyTimeout: this.#deliveryTimeoutMs * 2,
      keepAliveTimeout: Math.min(keepAliveMs, keepAliveMaxMs),
      keepAliveMaxTimeout: keepAliveMaxMs,
      maxHeaderSize: responseHeaderBytesMax,
    });
  }

  async send(outgoing: Outgoing): Promise<Attempt> {
    const startedAt = new Date();
    const startedMs = performance.now();
    const ours = requestHeaders({ ...outgoing, timestamp: Math.floor(startedAt.getTime() / 1_000) });
    const call = new Call(this.#deliveryTimeoutMs);
    const outcome = await this.#dispatch(call, outgoing, { ...outgoing.customHeaders, ...ours }).then(
      (response) => ({ error: statusErrorOf(response.status), response: toReceived(response) }),
      (error: unknown) => ({ error: attemptErrorOf(error), response: null }),
    );
    const endedMs = performance.now();
    return {
      ...outcome,
      delivered: outcome.error === null,
      startedAt,
      latencyMs: (call.facts.headersAtMs ?? endedMs) - startedMs,
      totalMs: endedMs - startedMs,
      timings: call.facts.timings,
      peerAddress: call.facts.peerAddress,
      reusedConnection: call.facts.reusedConnection,
      requestHeaders: { ...masked(outgoing.customHeaders), ...ours },
    };
  }

  async #dispatch(call: Call, { url, body }: Outgoing, headers: Readonly<Record<string, string>>) {
    try {
      const target = parseTarget(url, this.#rules);
      const host = hostOf(target);
      const authority = host.includes(':') ? `[${host}]` : host;
      const origin = `${target.protocol}//${authority}${target.port === '' ? '' : `:${target.port}`}`;
      this.#agent.dispatch({ origin, path: target.pathname + target.search, method: 'POST', headers, body }, call);
    } catch (error) {
      call.onResponseError(undefined as never, error as Error);
    }
    return await call.response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The log names them; their values may be credentials. */
function masked(headers: CustomHeaders = {}): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, maskedHeaderValue]));
}

function toReceived(response: CallResponse): ReceivedResponse {
  return {
    status: response.status,
    headers: loggedHeaders(response.headers),
    ...response.body.read(response.bodyComplete),
    retryAfterMs: retryAfterMs(headerOf(response, 'retry-after'), Date.now()),
    control: controlOf(headerOf(response, 'webhook-delivery')),
  };
}

function headerOf({ headers }: CallResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function controlOf(value: string | undefined): ReceivedResponse['control'] {
  return value === 'disable' || value === 'abort-message' ? value : undefined;
}

/** As many headers as fit, in their order; what PostgreSQL cannot hold is left out. */
function loggedHeaders(headers: CallResponse['headers']): Record<string, string> {
  const logged: Record<string, string> = {};
  let roomCharacters = loggedHeaderCharactersMax;
  for (const [name, value] of Object.entries(headers)) {
    const text = (Array.isArray(value) ? value.join(', ') : (value ?? '')).replaceAll('\0', '');
    roomCharacters -= name.length + text.length;
    if (roomCharacters < 0) break;
    logged[name] = text;
  }
  return logged;
}
