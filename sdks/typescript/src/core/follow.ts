import { ApiError, ConnectionError, TimeoutError } from '../errors/errors.ts';
import { leaveUnread, piecesOf } from './body.ts';
import { pause, reasonOf } from './pause.ts';
import type { ResponseLike, SignalLike } from './platform.ts';
import { delayMs } from './retry.ts';
import { SseParser, type StreamItem } from './sse.ts';

/** A comment comes every 15 seconds: after three of them a connection is dead, after a sleep for instance. */
const silenceMsDefault = 45_000;
const retryMsDefault = 2_000;
const backoffMaxMs = 30_000;
const mediaType = 'text/event-stream';
/** The comment before the end of a stream that was to end there. */
const caughtUp = 'caught up';

export interface FollowOptions {
  /** Opens the stream after an event. */
  readonly open: (lastEventId: string | undefined) => PromiseLike<ResponseLike>;
  readonly after: string | undefined;
  readonly signal: SignalLike | undefined;
  /** Hears how far the stream has looked where no event says it. */
  readonly onPlace?: ((id: string) => void) | undefined;
  /** The longest silence of a connection that lives. */
  readonly silenceMs?: number;
}

/**
 * The data of a stream of events, over as many connections as it takes: each goes on after the last event of the one before.
 * It ends where the stream says that it has caught up. Breaking out of a walk ends the connection.
 *
 * @throws ApiError for a refusal that will not pass, and whatever the first connection fails with; the signal's reason
 */
export async function* follow(options: FollowOptions): AsyncGenerator<string, void, undefined> {
  const { open, signal, onPlace } = options;
  let place = options.after;
  let parser = new SseParser(options.after);
  for (let failures = 0, isFirst = true; ; isFirst = false) {
    try {
      const response = await open(parser.id);
      parser = resumed(parser);
      for await (const { id, data, comment } of itemsOf(response, parser, options)) {
        failures = 0;
        const isNewPlace = id !== place;
        place = id;
        if (data !== undefined) yield data;
        else if (isNewPlace && id !== undefined) onPlace?.(id);
        if (comment === caughtUp) return;
      }
    } catch (error) {
      if (signal?.aborted === true) throw reasonOf(signal);
      if (!(error instanceof StreamCut) && (isFirst || !mayPass(error))) throw error;
      failures += 1;
      const retryAfterSec = error instanceof ApiError ? error.retryAfterSec : undefined;
      if (failures > 1) await pause(Math.min(delayMs(failures, 1_000, retryAfterSec), backoffMaxMs), signal);
    }
    await pause((parser.retryMs ?? retryMsDefault) * (0.5 + Math.random()), signal);
  }
}

/** The end of a connection that was open. It stays in here: the next connection goes on. */
class StreamCut extends Error {}

/** Whether what failed may succeed later, without anybody doing anything about it. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** Half an event that a cut connection brought is not continued by the next. */
function resumed(before: SseParser): SseParser {
  const parser = new SseParser(before.id);
  parser.retryMs = before.retryMs;
  return parser;
}

async function* itemsOf(
  response: ResponseLike,
  parser: SseParser,
  { signal, silenceMs = silenceMsDefault }: FollowOptions,
): AsyncGenerator<StreamItem, void, undefined> {
  if (response.headers.get('content-type')?.startsWith(mediaType) !== true || response.body === null) {
    leaveUnread(response);
    throw new ConnectionError('the answer is no stream of events: a proxy may have answered', {
      sent: true,
      attempts: 1,
    });
  }
  const failure = () => new StreamCut();
  for await (const bytes of piecesOf(response, { signal, silenceMs, failure })) yield* parser.read(bytes);
}
