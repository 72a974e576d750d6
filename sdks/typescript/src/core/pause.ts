import type { SignalLike } from './platform.ts';

/** Waits. An abort ends it with the signal's own reason, and leaves no timer. */
export function pause(ms: number, signal: SignalLike | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) return stop();
    signal?.addEventListener('abort', stop);
  });
}

/** What an aborted call rejects with. It is what the caller chose, an error or not. */
export function reasonOf(signal: SignalLike | undefined): Error {
  return signal?.reason as Error;
}
