import type { Dispatcher } from 'undici';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What happened on the wire, without its meaning. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      /** Null when the answer was longer than the bound. */
      readonly body: Buffer | null;
    }
  /** No byte of the request was written. */
  | { readonly kind: 'not_written'; readonly error: Error }
  /** The request was written, at least in part, and no complete answer came. */
  | { readonly kind: 'unanswered'; readonly error: Error };

export interface ExchangeLimits {
  /** Ends the exchange wherever it stands. */
  readonly signal: AbortSignal;
  readonly answerBytesMax: number;
}

/**
 * One request and its answer over a pooled connection. Never throws, never follows a redirect, never repeats the request:
 * undici reports through `onRequestStart` that a connection stands and the request is about to be written, which is the one
 * moment that separates "certainly not sent" from "may have arrived".
 */
export function exchange(
  dispatcher: Dispatcher,
  origin: string,
  request: HttpRequest,
  { signal, answerBytesMax }: ExchangeLimits,
): Promise<Exchange> {
  if (signal.aborted) return Promise.resolve({ kind: 'not_written', error: reasonOf(signal) });
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: { status: number; headers: Record<string, string | string[] | undefined> } | undefined;
    let bytes = 0;
    const chunks: Buffer[] = [];

    const settle = (result: Exchange): void => {
      signal.removeEventListener('abort', onAbort);
      resolve(result);
    };
    const fail = (error: Error): void => settle({ kind: controller ? 'unanswered' : 'not_written', error });
    const onAbort = (): void => {
      const error = reasonOf(signal);
      fail(error);
      controller?.abort(error);
    };
    signal.addEventListener('abort', onAbort, { once: true });

    const { method, path, headers, body } = request;
    const options = { origin, method, path, headers: { ...headers }, body: body ?? null } as const;
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        // Aborted while it waited for a connection: it has been reported as not written, so it must not be.
        if (signal.aborted) started.abort(reasonOf(signal));
        else controller = started;
      },
      onResponseStart: (_controller, status, answerHeaders) => {
        // Informational answers (1xx) precede the one that counts.
        if (status >= 200) answer = { status, headers: answerHeaders };
      },
      onResponseData: (reading, chunk) => {
        bytes += chunk.length;
        if (bytes <= answerBytesMax) return void chunks.push(chunk);
        if (answer) settle({ kind: 'answered', ...answer, body: null });
        reading.abort(new Error(`the answer is longer than ${answerBytesMax} bytes`));
      },
      onResponseEnd: () => {
        if (answer) settle({ kind: 'answered', ...answer, body: Buffer.concat(chunks) });
        else fail(new Error('the answer had no status'));
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
