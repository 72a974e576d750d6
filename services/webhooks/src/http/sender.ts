import { Agent } from 'undici';
import type { CustomHeaders } from '@gateway/contracts/webhooks';
import { attemptErrorOf, statusErrorOf, type Attempt, type ReceivedResponse } from '#src/http/attempt.ts';
import { Call, type CallResponse } from '#src/http/call.ts';
import { createConnector, SocketRegistry, type ConnectorOptions } from '#src/http/connector.ts';
import { headerOf, loggedHeaders, maskedHeaders, requestHeaders, retryAfterMs } from '#src/http/headers.ts';
import { hostOf, parseTarget, type TargetRules } from '#src/http/target.ts';

/** How long a receiver may take to answer, name resolution and connecting included. */
const deliveryTimeoutMsDefault = 7_000;
const keepAliveMs = 15_000;
/** Receivers may ask to keep a connection longer, not to pin it. */
const keepAliveMaxMsDefault = 30_000;
const responseHeaderBytesMax = 16_384;

export interface SenderOptions extends ConnectorOptions {
  readonly rules: TargetRules;
  readonly deliveryTimeoutMs?: number;
  readonly keepAliveMaxMs?: number;
}

/** One signed POST to a receiver. */
export interface WebhookRequest {
  readonly url: string;
  readonly secret: string;
  readonly nextSecret?: string | undefined;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly attempt: number;
  /** The endpoint's own; a header of the gateway replaces one of the same name. */
  readonly customHeaders?: CustomHeaders | undefined;
  readonly body: Buffer;
}

/** Calls receivers. A call never throws: every failure is an attempt with its error class. */
export class Sender implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #sockets = new SocketRegistry();
  readonly #rules: TargetRules;
  readonly #deliveryTimeoutMs: number;

  constructor(options: SenderOptions) {
    const { keepAliveMaxMs = keepAliveMaxMsDefault } = options;
    this.#rules = options.rules;
    this.#deliveryTimeoutMs = options.deliveryTimeoutMs ?? deliveryTimeoutMsDefault;
    this.#agent = new Agent({
      connect: createConnector(options, this.#sockets),
      // Endpoints of different merchants may share a host; the calls of each endpoint are limited by the scheduler.
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

  async send(request: WebhookRequest): Promise<Attempt> {
    const startedAt = new Date();
    const startedMs = performance.now();
    const signed = requestHeaders({ ...request, timestamp: Math.floor(startedAt.getTime() / 1_000) });
    const call = new Call(this.#deliveryTimeoutMs, this.#sockets);
    const outcome = await this.#dispatch(call, request, { ...request.customHeaders, ...signed }).then(
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
      requestHeaders: { ...maskedHeaders(request.customHeaders), ...signed },
    };
  }

  async #dispatch(call: Call, { url, body }: WebhookRequest, headers: Readonly<Record<string, string>>) {
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
    this.#sockets[Symbol.dispose]();
  }
}

function toReceived({ status, headers, body, bodyComplete }: CallResponse): ReceivedResponse {
  return {
    status,
    headers: loggedHeaders(headers),
    ...body.read(bodyComplete),
    retryAfterMs: retryAfterMs(headerOf(headers, 'retry-after'), Date.now()),
    control: controlOf(headerOf(headers, 'webhook-delivery')),
  };
}

function controlOf(value: string | undefined): ReceivedResponse['control'] {
  return value === 'disable' || value === 'abort-message' ? value : undefined;
}
