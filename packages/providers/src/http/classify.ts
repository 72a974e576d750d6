import type { z } from 'zod';
import { shapeOf } from '#src/http/body-shape.ts';
import type { Exchange } from '#src/http/exchange.ts';
import type { NotFound, NotSent, Unavailable, Unknown } from '#src/outcomes.ts';

/** The provider took the call and refused it; the adapter reads why. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly status: number;
  /** JSON. */
  readonly body: unknown;
}

/** Every way a call can end. An adapter only ever reads `answered` and `rejected`; the other two pass through it. */
export type CallOutcome<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | Rejected
  | (NotSent & { readonly status?: number })
  /** `unreadable`: an answer came, and does not fit the protocol. */
  | (Unknown & { readonly unreadable?: true });

/**
 * The one place where what happened on the wire becomes an outcome:
 *
 * - no byte was written (DNS, connection, TLS, our own deadline while waiting): `not_sent`
 * - 429, 401, 403: `not_sent`, since these come before processing; an operator has to act on the latter two
 * - written, and then a timeout, a reset, a 5xx, a redirect or an answer that does not fit: `unknown`
 * - another 4xx with JSON: `rejected`, to be read by the adapter; with anything else it comes from a proxy in between
 *
 * When in doubt the answer is `unknown`: it costs a lookup, the other way round costs money.
 */
export function classify<T>(
  exchange: Exchange,
  schema: z.ZodType<T> | undefined,
  readGood: ReadBody = readJson,
): CallOutcome<T> {
  if (exchange.kind === 'not_written') return notWritten(exchange.error);
  if (exchange.kind === 'unanswered') return unknown(`no answer: ${describe(exchange.error)}`);
  const { status, headers } = exchange;
  if (status === 429) {
    const retryAfterMs = retryAfterMsOf(headers['retry-after']);
    const notSent: NotSent = { kind: 'not_sent', reason: 'throttled', cause: 'the provider answered 429' };
    return retryAfterMs === undefined ? notSent : { ...notSent, retryAfterMs };
  }
  if (status === 401 || status === 403) {
    return { kind: 'not_sent', reason: 'unauthorized', cause: `the provider answered ${status}`, status };
  }
  const isGood = status >= 200 && status < 300;
  const body = isGood ? readGood(exchange.body) : readJson(exchange.body);
  if (isGood) {
    if (!schema) return { kind: 'answered', value: undefined as T };
    if (!body.ok) return { ...unknown(`the provider answered ${status} with ${body.shape}`), unreadable: true };
    const parsed = schema.safeParse(body.value);
    if (parsed.success) return { kind: 'answered', value: parsed.data };
    const cause = `the provider answered ${status} with ${shapeOf(body.value)}, which does not fit at ${issuesOf(parsed.error)}`;
    return { ...unknown(cause), unreadable: true };
  }
  if (status >= 400 && status < 500 && body.ok && status !== 408 && status !== 425) {
    return { kind: 'rejected', status, body: body.value };
  }
  return unknown(`the provider answered ${status} with ${body.ok ? shapeOf(body.value) : body.shape}`);
}

/** What a lookup learned: the value, that there is none (404), or nothing. */
export function lookedUp<T>(outcome: CallOutcome<T>): { readonly status: 'FOUND'; value: T } | NotFound | Unavailable {
  switch (outcome.kind) {
    case 'answered':
      return { status: 'FOUND', value: outcome.value };
    case 'rejected':
      if (outcome.status === 404) return { status: 'NOT_FOUND' };
      return { status: 'UNAVAILABLE', cause: `the provider answered ${outcome.status} with ${shapeOf(outcome.body)}` };
    case 'not_sent':
    case 'unknown':
      return { status: 'UNAVAILABLE', cause: outcome.cause };
  }
}

function notWritten(error: Error): NotSent {
  const reason = error.name === 'AbortError' || error.name === 'TimeoutError' ? 'aborted' : 'unreachable';
  return { kind: 'not_sent', reason, cause: describe(error) };
}

function unknown(cause: string): Unknown {
  return { kind: 'unknown', cause };
}

/** Name and code only: messages of TLS and DNS errors may quote what they were given. */
function describe(error: Error): string {
  const code = errorCodeOf(error);
  return code === error.name ? `${error.name}: ${error.message.slice(0, 200)}` : `${error.name} ${code}`;
}

/** The code of a broken or refused connection; the error's name where it has none. */
export function errorCodeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : error.name;
}

type Body = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly shape: string };
/** How the body of a good answer is read. */
export type ReadBody = (body: Buffer | null) => Body;

export function readJson(body: Buffer | null): Body {
  if (body === null) return { ok: false, shape: 'a longer body than is read' };
  if (body.length === 0) return { ok: false, shape: 'no body' };
  try {
    return { ok: true, value: JSON.parse(body.toString('utf8')) };
  } catch {
    return { ok: false, shape: `${body.length} bytes that are not JSON` };
  }
}

/** A text that is no JSON: `{ text }`, so that a schema says what it has to be. */
export function readText(body: Buffer | null): Body {
  if (body === null) return { ok: false, shape: 'a longer body than is read' };
  return { ok: true, value: { text: body.toString('utf8') } };
}

/** Paths and codes of what does not fit; the issues' own messages would quote content. */
function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, code }) => `${path.join('.') || 'the top'} (${code})`)
    .join(', ');
}

const retryAfterSecMax = 3_600;

function retryAfterMsOf(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
  return seconds === undefined ? undefined : Math.min(seconds, retryAfterSecMax) * 1_000;
}
