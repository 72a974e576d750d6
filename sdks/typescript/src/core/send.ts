import { ApiError, ConnectionError, TimeoutError } from '../errors/errors.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import { leaveUnread } from './body.ts';
import type { Form } from './form.ts';
import { requestIdOf, type FetchLike, type RequestLike, type ResponseLike, type SignalLike } from './platform.ts';
import { pause, reasonOf } from './pause.ts';
import { harmlessCause, redacted } from './redact.ts';
import { refusalOf } from './refusal.ts';
import { delayMs, mayRepeat, outcomeOf, retryAfterMaxSec, wasNotSent, type Outcome } from './retry.ts';
import type { Operation } from '../generated/operations.ts';

/** What every method takes last. */
export interface Options {
  /** Ends the call; it rejects with the signal's own reason. */
  readonly signal?: SignalLike | undefined;
  /** Of each attempt. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Sent beside those of the client; `accept-language` for instance. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as `X-Request-Id`, 1 to 64 of `[A-Za-z0-9._-]`: the gateway's log has the call under it. */
  readonly requestId?: string | undefined;
}

/** A call without what is secret, for logs. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** From 1 on. */
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReceivedResponse extends SentRequest {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly ms: number;
}

export interface Transport {
  readonly baseUrl: string;
  readonly fetch: FetchLike;
  /** For calls that are never repeated: it must not repeat them either. */
  readonly fetchOnce: FetchLike;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  /** Of every call, credentials among them: never shown. */
  readonly credentials: () => Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: () => readonly string[];
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
}

export interface Call {
  readonly operation: Operation;
  /** With its ids in it and its query behind it. */
  readonly path: string;
  readonly body?: unknown;
  /** In place of a body of JSON. */
  readonly form?: Form | undefined;
  readonly accept: string;
  /** What reads a success in place of the call: the caller, or the method piece by piece. */
  readonly unreadFor?: 'caller' | 'method' | undefined;
}

export interface Received {
  readonly response: ResponseLike;
  /** Unless it is left unread. */
  readonly bytes: Uint8Array | undefined;
  readonly attempts: number;
}

type Answer = Pick<Received, 'response' | 'bytes'>;
type Attempt = { readonly received: Received } | { readonly error: GatewayError; readonly outcome: Outcome };

/**
 * Sends a call until it has an answer, as far as its rule of repetition allows. Each attempt sends the same bytes, so that an
 * `external_id` is the same in all of them.
 *
 * @throws ApiError, ConnectionError, TimeoutError, or the reason of the signal
 */
export async function send(transport: Transport, call: Call, options: Options): Promise<Received> {
  const body = call.form?.bytes ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const deadline = Date.now() + transport.deadlineMs;
  const maxRetries = options.maxRetries ?? transport.maxRetries;
  for (let attempt = 1; ; attempt += 1) {
    const result = await sendOnce(transport, call, options, body, attempt, deadline);
    if ('received' in result) return result.received;
    const { error, outcome } = result;
    if (attempt > maxRetries || !mayRepeat(outcome, call.operation.repeat)) throw error;
    const retryAfterSec = error instanceof ApiError ? error.retryAfterSec : undefined;
    const delay = delayMs(attempt, transport.retryDelayMs, retryAfterSec);
    if ((retryAfterSec ?? 0) > retryAfterMaxSec || Date.now() + delay >= deadline) throw error;
    await pause(delay, options.signal);
  }
}

async function sendOnce(
  transport: Transport,
  call: Call,
  options: Options,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  attempt: number,
  deadline: number,
): Promise<Attempt> {
  throwIfAborted(options.signal);
  const timeoutMs = Math.min(options.timeoutMs ?? transport.timeoutMs, Math.max(0, deadline - Date.now()));
  const url = `${transport.baseUrl}${call.path}`;
  const shown = shownHeaders(transport, call, options, body !== undefined);
  const { method } = call.operation;
  const sent: SentRequest = { method, url, attempt, headers: shown };
  transport.onRequest?.(sent);

  const controller = new AbortController();
  const state = { timedOut: false, isTheCallers: false };
  const timer = setTimeout(() => {
    state.timedOut = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort();
  options.signal?.addEventListener('abort', abort);
  const startedAt = Date.now();
  let answer: Answer;
  try {
    const headers = { ...shown, ...transport.credentials() };
    const signal: SignalLike = controller.signal;
    const request: RequestLike = {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    };
    // What the signal ends is not left to `fetch` alone: one that ignores it would hold the call.
    answer = await Promise.race([
      read(call.operation.repeat === 'never' ? transport.fetchOnce : transport.fetch, url, request, call.unreadFor),
      ended(controller.signal),
    ]);
    state.isTheCallers = isSuccess(answer.response) && call.unreadFor === 'caller';
  } catch (error) {
    throwIfAborted(options.signal);
    if (state.timedOut) {
      const message = `no answer to ${method} ${call.path} within ${timeoutMs} ms`;
      return { error: new TimeoutError(message, { attempts: attempt }), outcome: { kind: 'unknown' } };
    }
    return lost(error, { method, path: call.path, attempt }, transport.secrets());
  } finally {
    clearTimeout(timer);
    // Whatever a caller makes of an unread answer, the signal of the call ends it.
    if (!state.isTheCallers) options.signal?.removeEventListener('abort', abort);
  }
  const { response, bytes } = answer;
  const { status } = response;
  try {
    transport.onResponse?.({ ...sent, status, requestId: requestIdOf(response), ms: Date.now() - startedAt });
  } catch (error) {
    // An error of the caller's own hook is no lost connection: it is thrown as it is, and repeats nothing.
    options.signal?.removeEventListener('abort', abort);
    if (bytes === undefined) leaveUnread(response);
    throw error;
  }
  if (isSuccess(response)) return { received: { response, bytes, attempts: attempt } };
  const error = refusalOf(response, bytes, attempt, transport.secrets());
  return { error, outcome: outcomeOf(error.status, error.code, error.ids) };
}

/** Without credentials. */
function shownHeaders(
  { headers }: Transport,
  { accept, form }: Call,
  options: Options,
  hasBody: boolean,
): Record<string, string> {
  const shown: Record<string, string> = { ...headers, ...lowerCase(options.headers ?? {}), accept };
  if (hasBody) shown['content-type'] = form?.contentType ?? 'application/json';
  if (options.requestId !== undefined) shown['x-request-id'] = options.requestId;
  return shown;
}

function throwIfAborted(signal: SignalLike | undefined): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

async function read(
  fetch: FetchLike,
  url: string,
  request: RequestLike,
  unreadFor: Call['unreadFor'],
): Promise<Answer> {
  const response = await fetch(url, request);
  if (unreadFor !== undefined && isSuccess(response)) return { response, bytes: undefined };
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

function isSuccess({ status }: ResponseLike): boolean {
  return status >= 200 && status < 300;
}

function ended(signal: SignalLike): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the call was ended')));
  });
}

function lost(
  error: unknown,
  { method, path, attempt }: { readonly method: string; readonly path: string; readonly attempt: number },
  secrets: readonly string[],
): Attempt {
  const sent = !wasNotSent(error);
  const cause = harmlessCause(error, secrets);
  const what = sent ? 'the connection was lost' : 'no connection';
  const message = redacted(`${method} ${path}: ${what} (${cause.message})`, secrets);
  const failure = new ConnectionError(message, { cause, sent, attempts: attempt });
  return { error: failure, outcome: { kind: sent ? 'unknown' : 'not-done' } };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
