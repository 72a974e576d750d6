import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Finished, type Home, runCli } from './run-cli.ts';

interface Init {
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}
export type Answer = (init: Init) => Response | Promise<Response>;

export const refusedConnection = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
};
export const refusal = (status: number) => () =>
  Response.json({ error: { code: 'X', message: 'x', details: [], request_id: 'r' } }, { status });
export const eventOf = (id: string) => ({
  ...{ id, object: 'event', event: 'deposit.paid', created_at: 1, environment: 'test', api_version: '0.1' },
  ...{ data_id: 'dep_1', data: { id: 'dep_1' } },
});
const frameOf = (id: string) => `retry: 1\nid: ${id}\ndata: ${JSON.stringify(eventOf(id))}\n\n`;

/** A stream of these events, whose network is cut behind them, that its server ends, or that stays open. */
export const stream =
  (ids: readonly string[], end: 'cut' | 'end' | 'open' = 'end') =>
  () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (end === 'cut') controller.error(new TypeError('terminated'));
        else if (end === 'end') controller.close();
      },
      start: (controller) => {
        for (const id of ids) controller.enqueue(new TextEncoder().encode(frameOf(id)));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };

interface Scene {
  /** Of the gateway's stream, one call after the other; the last for all others. */
  readonly streams: readonly Answer[];
  /** Of the gateway's list, which is read where no place is known. */
  readonly lists?: readonly Answer[];
  /** Of the receiver, likewise. */
  readonly receiver: readonly Answer[];
  /** The command ends once the receiver has been sent this event, and has answered. */
  readonly until: string;
  readonly args?: readonly string[];
  /** Pressed at a terminal, one after each event that was answered. */
  readonly keys?: readonly string[];
}

interface Played extends Finished {
  readonly forwarded: readonly string[];
  /** After which event each stream was opened. */
  readonly openedAfter: readonly (string | undefined)[];
  /** Addresses of the gateway that were called. */
  readonly called: readonly URL[];
  readonly place: unknown;
}

/** A terminal at which keys are pressed. */
class Terminal extends EventEmitter {
  readonly isTTY = true;
  readonly setRawMode = () => this;
  readonly pause = () => this;
}

/** Listens, unless it is asked otherwise from `evt_a` on, with a gateway and a receiver that answer as in the scene. */
export async function play(
  home: Home,
  { streams, lists = [], receiver, until, args = ['--after', 'evt_a'], keys = [] }: Scene,
): Promise<Played> {
  const ended = new AbortController();
  const forwarded: string[] = [];
  const openedAfter: (string | undefined)[] = [];
  const called: URL[] = [];
  let listed = 0;
  const next = (answers: readonly Answer[], count: number) => answers[Math.min(count, answers.length) - 1]!;
  vi.stubGlobal('fetch', async (url: string, init: Init) => {
    if (url.startsWith('http://gateway.test')) called.push(new URL(url));
    if (url.startsWith('http://gateway.test/v1/events?')) return next(lists, (listed += 1))(init);
    if (url.startsWith('http://gateway.test')) {
      openedAfter.push(init.headers['last-event-id']);
      return next(streams, openedAfter.length)(init);
    }
    const { id } = JSON.parse(init.body ?? '') as { id: string };
    forwarded.push(id);
    return next(receiver, forwarded.length)(init);
  });
  const given = ['listen', '--forward-to', 'http://receiver.test/', '--timeout', '0.2', ...args];
  const terminal = new Terminal();
  const waiting = [...keys];
  const printed = (line: string) =>
    setImmediate(() => {
      const key = waiting.shift();
      if (key !== undefined) terminal.emit('data', Buffer.from(key));
      else if (line.includes(until)) ended.abort();
    });
  const finished = await runCli(given, home, ended.signal, printed, keys.length > 0 ? terminal : undefined);
  const folder = join(home.folder, 'state/gateway/listen');
  const place: unknown = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'));
  return { ...finished, forwarded, openedAfter, called, place };
}

export const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
export const count = (text: string, part: string) => text.split(part).length - 1;
export const ok = () => new Response(null, { status: 204 });
