import type { Version } from '../contracts.ts';
import { SignatureError } from '../errors/errors.ts';
import type { VerifiedEvent } from './events.ts';
import { verifyWebhook, type WebhookHeaders } from './verify.ts';

/** Remembers which events were handled: a unique column in your database, so that it holds for all your processes. */
export interface SeenEvents {
  /** @returns false when the event is handled, or being handled, already */
  claim(id: string): Promise<boolean> | boolean;
  /** Handling it has failed: the next delivery may. */
  release(id: string): Promise<void> | void;
}

export interface HandlerOptions<V extends Version = '0.1'> {
  readonly secret: string | readonly string[];
  /** Handles an event. What it throws makes the gateway deliver the event again. */
  readonly on: (event: VerifiedEvent<V>) => Promise<void> | void;
  readonly seen?: SeenEvents;
  /** Sees what was refused and what `on` has thrown. */
  readonly onError?: (error: unknown) => void;
  readonly toleranceSec?: number;
}

/** What of a `Request` is read. */
export interface IncomingRequest {
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The `Response` of the platform, where its types are known. */
export type PlatformResponse = typeof globalThis extends { readonly Response: { readonly prototype: infer R } }
  ? R
  : { readonly status: number };

/** What of Node's `IncomingMessage` and `ServerResponse` is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
export interface NodeResponse {
  statusCode: number;
  end(text: string): unknown;
}

/** No event of the gateway is larger. */
const bodyBytesMax = 1_048_576;

interface Outcome {
  readonly status: number;
  readonly text: string;
}

/**
 * Receives webhooks: 401 for a bad signature, 400 for a body that is no event, 200 for one that was handled, now or before,
 * and 500 when `on` throws, after which the gateway delivers it again.
 */
export function webhookHandler<V extends Version = '0.1'>(
  options: HandlerOptions<V>,
): (request: IncomingRequest) => Promise<PlatformResponse> {
  return async (request) => {
    const { status, text } = await handle(options, new Uint8Array(await request.arrayBuffer()), request.headers);
    const { Response } = globalThis as unknown as {
      readonly Response: new (text: string, init: { readonly status: number }) => PlatformResponse;
    };
    return new Response(text, { status });
  };
}

/** The same for `node:http` and Express, in a place where no parser has read the body before. */
export function nodeWebhookListener<V extends Version = '0.1'>(
  options: HandlerOptions<V>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > bodyBytesMax) break;
      chunks.push(chunk);
    }
    const { status, text } =
      size > bodyBytesMax
        ? { status: 413, text: 'the body is too large' }
        : await handle(options, concatenated(chunks), request.headers);
    response.statusCode = status;
    response.end(text);
  };
}

async function handle<V extends Version>(
  { secret, on, seen, onError, toleranceSec }: HandlerOptions<V>,
  body: Uint8Array,
  headers: WebhookHeaders,
): Promise<Outcome> {
  let event: VerifiedEvent<V>;
  try {
    event = await verifyWebhook<V>({ body, headers, secret, ...(toleranceSec === undefined ? {} : { toleranceSec }) });
  } catch (error) {
    onError?.(error);
    if (error instanceof TypeError) return { status: 500, text: 'the receiver is not set up' };
    return error instanceof SignatureError
      ? { status: 401, text: `signature: ${error.reason}` }
      : { status: 400, text: 'no event' };
  }
  try {
    if (seen !== undefined && !(await seen.claim(event.id))) return { status: 200, text: 'handled before' };
  } catch (error) {
    onError?.(error);
    return { status: 500, text: 'not handled' };
  }
  try {
    await on(event);
    return { status: 200, text: 'handled' };
  } catch (error) {
    onError?.(error);
    try {
      await seen?.release(event.id);
    } catch (second) {
      // The event stays claimed: only the merchant can know whether it was handled.
      onError?.(second);
    }
    return { status: 500, text: 'not handled' };
  }
}

function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
