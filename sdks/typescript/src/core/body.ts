import { ConnectionError, TimeoutError } from '../errors/errors.ts';
import { reasonOf } from './pause.ts';
import type { ResponseLike, SignalLike } from './platform.ts';
import { harmlessCause } from './redact.ts';

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Ends the connection of an answer that is not to be read. */
export function leaveUnread({ body }: ResponseLike): void {
  // Not every `fetch` has bodies that can be cancelled, and one that has failed cannot be any more.
  (body as { cancel?(): Promise<void> } | null)?.cancel?.().catch(() => undefined);
}

/** How a body is waited for that is read piece by piece. */
interface Waiting {
  readonly signal: SignalLike | undefined;
  /** The longest silence between two pieces. */
  readonly silenceMs: number;
  /** What a longer one, and a lost connection, are. */
  readonly failure: (cause: unknown) => Error;
}

/**
 * The bytes of an answer as they come. Breaking out of the walk ends the connection, and so do the signal and a silence.
 *
 * @throws the reason of the signal, or the failure that was given
 */
export async function* piecesOf(response: ResponseLike, waiting: Waiting): AsyncGenerator<Uint8Array, void, undefined> {
  const body = response.body as { getReader(): Reader } | null;
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), waiting);
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    // It ends the connection, unless it has ended by itself.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * The bytes of a success that the call left unread.
 *
 * @throws TimeoutError when no more comes for as long as an attempt may take, ConnectionError when the connection is lost,
 * or the reason of the signal
 */
export function bytesOf(
  response: ResponseLike,
  { signal, timeoutMs, attempts }: Pick<Waiting, 'signal'> & { readonly timeoutMs: number; readonly attempts: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const failure = (cause: unknown) =>
    cause === undefined
      ? new TimeoutError(`no more of the answer within ${timeoutMs} ms`, { attempts })
      : new ConnectionError('the connection was lost within the answer', {
          cause: harmlessCause(cause, []),
          sent: true,
          attempts,
        });
  return piecesOf(response, { signal, silenceMs: timeoutMs, failure });
}

function inTime<T>(reading: Promise<T>, { signal, silenceMs, failure }: Waiting): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settled();
    };
    const cut = (cause?: unknown) => settle(() => reject(failure(cause)));
    const stop = () => settle(() => reject(reasonOf(signal)));
    const timer = setTimeout(cut, silenceMs);
    signal?.addEventListener('abort', stop);
    reading.then((value) => settle(() => resolve(value)), cut);
    if (signal?.aborted === true) stop();
  });
}
