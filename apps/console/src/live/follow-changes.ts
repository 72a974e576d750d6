import { client } from '#src/generated/client.gen.ts';
import type { Hints } from '#src/live/hints.ts';
import { readChanges } from '#src/live/read-changes.ts';

/** As the stream itself says. */
const retryMs = 3_000;
/** After a refusal: there are as many streams as a person may have, or the session is over. */
const refusedRetryMs = 15_000;

type Stream = '/stream' | '/ops/stream';

/**
 * Follows a stream of changes while the page is visible, which leaves hidden tabs none of the few that a person may have.
 * What was missed while it was hidden is announced as such.
 *
 * @returns what ends it
 */
export function followChanges(stream: Stream, hints: Hints): () => void {
  let following: AbortController | undefined;
  // What the page shows was read just before the first one.
  let isFirst = true;
  const turn = () => {
    following?.abort();
    following = undefined;
    if (document.visibilityState === 'hidden') return;
    following = new AbortController();
    void follow(stream, hints, { signal: following.signal, isFirst });
    isFirst = false;
  };
  turn();
  document.addEventListener('visibilitychange', turn);
  return () => {
    document.removeEventListener('visibilitychange', turn);
    following?.abort();
  };
}

interface Following {
  readonly signal: AbortSignal;
  readonly isFirst: boolean;
}

async function follow(stream: Stream, hints: Hints, { signal, isFirst }: Following): Promise<void> {
  for (let isAgain = !isFirst; !signal.aborted; isAgain = true) {
    await pause(await followOnce(stream, hints, { signal, isFirst: !isAgain }), signal);
  }
}

/** Until the stream ends. Answers how long to wait before it is opened again. */
async function followOnce(stream: Stream, hints: Hints, { signal, isFirst }: Following): Promise<number> {
  const headers = { accept: 'text/event-stream', 'x-background': '1' };
  const answer = await client.get({ url: stream, headers, signal, parseAs: 'stream' }).catch(() => undefined);
  if (signal.aborted) return 0;
  const response = answer?.response;
  if (response?.ok !== true) {
    hints.state = response === undefined ? { kind: 'offline', since: new Date() } : { kind: 'polling' };
    return response === undefined ? retryMs : refusedRetryMs;
  }
  hints.state = { kind: 'live' };
  if (!isFirst) hints.announce(undefined);
  try {
    for await (const change of readChanges(answer?.data as ReadableStream<Uint8Array>)) hints.announce(change);
  } catch {
    // Cut, or silent: it is opened again.
  }
  return retryMs;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
