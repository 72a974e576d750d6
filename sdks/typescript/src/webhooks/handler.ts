import type { Version } from '../contracts.ts';
import { SignatureError } from '../errors/signature-error.ts';
import { bodyBytesMax, bytesOf, piecesOf, type BodyStream } from './body.ts';
import type { VerifiedEvent } from './events.ts';
import { howToGetBytes, secretsOf, verifyWebhook, type WebhookHeaders } from './verify.ts';

/**
 * What a claim finds. A token: the event is this delivery's to handle, and no other claim ever has that token. `busy`: another
 * delivery handles it, or did until its process ended; its claim has not expired. `done`: it is handled. `new` is a claim
 * without a token, of a store that does not know one claim of an event from the next.
 */
export type Claim = { readonly token: string } | 'new' | 'busy' | 'done';

/**
 * Remembers which events were handled: rows of your database, so that it holds for all your processes. Where what `on` does is
 * in that database too, do without: insert the id in the transaction that does it.
 */
export interface SeenEvents {
  /**
   * Takes an event that no delivery has, or whose claim has expired. A claim has to expire, later than `on` ever takes: a
   * process that ends within `on` releases nothing, and a claim that throws after it has taken the event is not released
   * either. A sender that goes away ends neither: the handler goes on with the event.
   */
  claim(id: string): Promise<Claim> | Claim;
  /**
   * `on` has returned: from now on the event is done, and no claim of it expires. It takes no token: what is handled is
   * handled, also where the claim had expired and another delivery has one, or had one and released it.
   */
  done(id: string): Promise<void> | void;
  /**
   * `on` has thrown: the next delivery may claim it at once. It ends the claim of that token and no other: where this claim had
   * expired and another delivery has the event, that one keeps it, and what is done stays done.
   */
  release(id: string, token: string | undefined): Promise<void> | void;
}

export interface HandlerOptions<V extends Version = '0.1'> {
  /** The `whsec_…` of the webhook; both while a rotation lasts. */
  readonly secret: string | readonly string[];
  /** Handles an event. What it throws makes the gateway deliver the event again. */
  readonly on: (event: VerifiedEvent<V>) => Promise<void> | void;
  readonly seen?: SeenEvents | undefined;
  /** Sees what was refused and what `on` has thrown. What it throws itself is passed over. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly toleranceSec?: number | undefined;
}

/** What of a `Request` is read. */
export interface IncomingRequest {
  /** Whether the body was read before. */
  readonly bodyUsed?: boolean | undefined;
  readonly headers: { get(name: string): string | null };
  /** Read as far as an event may reach. Without it, `arrayBuffer` is. */
  readonly body?: BodyStream | null | undefined;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The `Response` of the platform, where its types are known. */
export type PlatformResponse = typeof globalThis extends { readonly Response: { readonly prototype: infer R } }
  ? R
  : { readonly status: number };

/** What of Node's `IncomingMessage` and `ServerResponse` is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** What a parser of Express has made of the body, if one was there before. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
export interface NodeResponse {
  statusCode: number;
  end(text: string): unknown;
}

interface Outcome {
  readonly status: number;
  readonly text: string;
}

/**
 * Receives webhooks: 401 for a bad signature, 400 for a body that is no event, 413 for one that is too large, 200 for an event
 * that was handled, now or before, 503 while another delivery handles it, and 500 when `on` throws. After 500 and 503 the
 * gateway delivers it again.
 *
 * @throws TypeError when it is made without the `whsec_…` of the webhook, or with a `seen` that has not all three functions
 */
export function webhookHandler<V extends Version = '0.1'>(
  options: HandlerOptions<V>,
): (request: IncomingRequest) => Promise<PlatformResponse> {
  checkOptions(options);
  return async (request) => {
    // What says that it is too large is not read at all.
    const isTooLarge = Number(request.headers.get('content-length')) > bodyBytesMax;
    const { status, text } = isTooLarge ? tooLarge : await receive(options, () => bodyOf(request), request.headers);
    const { Response } = globalThis as unknown as {
      readonly Response: new (text: string, init: { readonly status: number }) => PlatformResponse;
    };
    return new Response(text, { status });
  };
}

/**
 * The same for `node:http` and Express. `express.raw({ type: 'application/json' })` may have read the body before,
 * `express.json()` may not.
 *
 * @throws TypeError as `webhookHandler` does
 */
export function nodeWebhookListener<V extends Version = '0.1'>(
  options: HandlerOptions<V>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  checkOptions(options);
  return async (request, response) => {
    const { status, text } = await receive(options, () => nodeBodyOf(request), request.headers);
    response.statusCode = status;
    response.end(text);
  };
}

/** @returns nothing for a body that was read before and cannot be read again: it counts as parsed */
async function bodyOf(request: IncomingRequest): Promise<unknown> {
  if (request.bodyUsed === true) return undefined;
  return request.body ? bytesOf(piecesOf(request.body)) : new Uint8Array(await request.arrayBuffer());
}

/** What came, or what a parser has made of it. */
async function nodeBodyOf(request: NodeRequest): Promise<unknown> {
  const bytes = await bytesOf(request);
  return bytes.length === 0 && request.body !== undefined ? request.body : bytes;
}

/** @param read fails when the sender goes away within the body */
async function receive<V extends Version>(
  options: HandlerOptions<V>,
  read: () => Promise<unknown>,
  headers: WebhookHeaders,
): Promise<Outcome> {
  let body: unknown;
  try {
    body = await read();
  } catch (error) {
    report(options.onError, error);
    return { status: 400, text: 'the body has not come whole' };
  }
  if (body instanceof Uint8Array && body.length > bodyBytesMax) return tooLarge;
  return handle(options, body, headers);
}

const tooLarge: Outcome = { status: 413, text: 'the body is too large' };

function checkOptions({ secret, seen }: Pick<HandlerOptions, 'secret' | 'seen'>): void {
  secretsOf(secret);
  if (seen === undefined) return;
  for (const name of ['claim', 'done', 'release'] as const)
    if (typeof seen[name] !== 'function') throw new TypeError(`seen has no function ${name}(id)`);
}

/** @param body the bytes; what a parser has made of them is answered with what to do */
async function handle<V extends Version>(
  { secret, on, seen, onError, toleranceSec }: HandlerOptions<V>,
  body: unknown,
  headers: WebhookHeaders,
): Promise<Outcome> {
  let event: VerifiedEvent<V>;
  try {
    event = await verifyWebhook<V>({ body: body as Uint8Array, headers, secret, toleranceSec });
  } catch (error) {
    report(onError, error);
    if (error instanceof TypeError) return { status: 500, text: `the receiver is not set up: ${howToGetBytes}` };
    return error instanceof SignatureError
      ? { status: 401, text: `signature: ${error.reason}` }
      : { status: 400, text: 'no event' };
  }
  if (seen === undefined) return handled(on, event, onError);
  let token: string | undefined;
  try {
    const claim = await seen.claim(event.id);
    if (claim === 'done') return { status: 200, text: 'handled before' };
    if (claim === 'busy') return { status: 503, text: 'another delivery of the event is being handled' };
    token = tokenOf(claim);
  } catch (error) {
    report(onError, error);
    return notHandled;
  }
  const outcome = await handled(on, event, onError);
  try {
    await (outcome === notHandled ? seen.release(event.id, token) : seen.done(event.id));
  } catch (error) {
    // The claim is left to expire. What `on` has done it has done: another delivery would only do it again.
    report(onError, error);
  }
  return outcome;
}

const notHandled: Outcome = { status: 500, text: 'not handled' };

async function handled<V extends Version>(
  on: HandlerOptions<V>['on'],
  event: VerifiedEvent<V>,
  onError: HandlerOptions['onError'],
): Promise<Outcome> {
  try {
    await on(event);
    return { status: 200, text: 'handled' };
  } catch (error) {
    report(onError, error);
    return notHandled;
  }
}

/** What fails in reporting an error keeps no claim from its end, and no sender from an answer. */
function report(onError: HandlerOptions['onError'], error: unknown): void {
  try {
    onError?.(error);
  } catch {
    return;
  }
}

/** Without types, a claim of another kind would lose the event or handle it twice. */
function tokenOf(claim: unknown): string | undefined {
  if (claim === 'new') return undefined;
  const { token } = Object(claim) as { readonly token?: unknown };
  if (typeof token !== 'string' || token === '')
    throw new TypeError(`claim has to answer { token }, 'new', 'busy' or 'done', and answered ${String(claim)}`);
  return token;
}
