import type { Readable } from 'node:stream';
import type { Answer } from '#src/http/endpoint.ts';

/** Of server-sent events. */
export const eventStreamType = 'text/event-stream';

/** A proxy that collects what it passes on would hold back each event. */
export function answerStream(body: Readable): Answer {
  const headers = {
    'content-type': `${eventStreamType}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, body };
}
