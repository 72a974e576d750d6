import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type Finished, keyOf, newHome, runCli, type Home } from '../support/run-cli.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Init = {
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};
type Answer = (init: Init) => Response | Promise<Response>;

const refusedConnection = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
};
const refusal = (status: number) => () =>
  Response.json({ error: { code: 'X', message: 'x', details: [], request_id: 'r' } }, { status });
const eventOf = (id: string) => ({
  ...{ id, object: 'event', event: 'deposit.paid', created_at: 1, environment: 'test', api_version: '0.1' },
  ...{ data_id: 'dep_1', data: { id: 'dep_1' } },
});
const frameOf = (id: string) => `retry: 1\nid: ${id}\ndata: ${JSON.stringify(eventOf(id))}\n\n`;

/** A stream of these events, whose network is cut behind them, or that its server ends. */
const stream =
  (ids: readonly string[], end: 'cut' | 'end' = 'end') =>
  () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (end === 'cut') controller.error(new TypeError('terminated'));
        else controller.close();
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
}

interface Played extends Finished {
  readonly forwarded: readonly string[];
  /** After which event each stream was opened. */
  readonly openedAfter: readonly (string | undefined)[];
  readonly place: unknown;
}

/** Listens, unless it is asked otherwise from `evt_a` on, with a gateway and a receiver that answer as in the scene. */
async function play(
  home: Home,
  { streams, lists = [], receiver, until, args = ['--after', 'evt_a'] }: Scene,
): Promise<Played> {
  const [ended, forwarded, openedAfter]: [AbortController, string[], (string | undefined)[]] = [
    new AbortController(),
    [],
    [],
  ];
  let listed = 0;
  const next = (answers: readonly Answer[], count: number) => answers[Math.min(count, answers.length) - 1]!;
  vi.stubGlobal('fetch', async (url: string, init: Init) => {
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
  const done = (line: string) => line.includes(until) && setImmediate(() => ended.abort());
  const finished = await runCli(given, home, ended.signal, done);
  const folder = join(home.folder, 'state/gateway/listen');
  const place: unknown = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'));
  return { ...finished, forwarded, openedAfter, place };
}

const printed = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
const count = (text: string, part: string) => text.split(part).length - 1;
const ok = () => new Response(null, { status: 204 });

test('listen outlives a gateway that is killed and a network that is cut: each outage is reported once, each event comes once', async () => {
  using home = newHome(keyOf('test'));
  const { code, stderr, forwarded, openedAfter, place } = await play(home, {
    streams: [
      refusedConnection,
      refusal(503),
      stream(['evt_b', 'evt_c'], 'cut'),
      refusedConnection,
      stream(['evt_d']),
      stream(['evt_e']),
    ],
    receiver: [ok],
    until: 'evt_e',
  });
  expect(code).toBe(130);
  expect(forwarded).toEqual(['evt_b', 'evt_c', 'evt_d', 'evt_e']);
  expect(openedAfter.slice(0, 6)).toEqual(['evt_a', 'evt_a', 'evt_a', 'evt_c', 'evt_c', 'evt_d']);
  expect(place).toEqual({ after: 'evt_e' });
  expect(count(stderr, 'http://gateway.test: no connection; waiting')).toBe(2);
  expect(count(stderr, 'the gateway is there again')).toBe(2);
});

test('listen that begins while the gateway is away waits for it, and begins then', async () => {
  using home = newHome(keyOf('test'));
  const { code, stderr, forwarded, openedAfter } = await play(home, {
    lists: [refusedConnection, () => Response.json({ data: [eventOf('evt_a')], next_cursor: null })],
    streams: [stream(['evt_b'])],
    receiver: [ok],
    until: 'evt_b',
    args: [],
  });
  expect([code, forwarded, openedAfter[0]]).toEqual([130, ['evt_b'], 'evt_a']);
  expect(count(stderr, 'http://gateway.test: no connection; waiting')).toBe(1);
  expect(count(stderr, 'the gateway is there again')).toBe(1);
});

test('listen ends where waiting would not help: a key that was revoked', async () => {
  using home = newHome(keyOf('test'));
  const streams = [stream(['evt_b']), refusal(401)];
  const { code, forwarded, openedAfter, place } = await play(home, { streams, receiver: [ok], until: 'evt_z' });
  expect([code, forwarded, openedAfter, place]).toEqual([4, ['evt_b'], ['evt_a', 'evt_b'], { after: 'evt_b' }]);
});

test('a receiver that is away is reported once and waited for: the event and its turn are not lost', async () => {
  using home = newHome(keyOf('test'));
  const { stderr, stdout, forwarded, place } = await play(home, {
    streams: [stream(['evt_b', 'evt_c'])],
    receiver: [refusedConnection, refusedConnection, ok],
    until: 'evt_c',
  });
  expect(forwarded).toEqual(['evt_b', 'evt_b', 'evt_b', 'evt_c']);
  expect(count(stderr, 'http://receiver.test/ does not take connections: waiting for it')).toBe(1);
  expect(printed(stdout)).toMatchObject([
    { id: 'evt_b', status: 204, attempts: 1 },
    { id: 'evt_c', status: 204, attempts: 1 },
  ]);
  expect(place).toEqual({ after: 'evt_c' });
});

test('an event that the receiver refuses is sent three times, and the next follows; one that has no answer in seven seconds likewise', async () => {
  using home = newHome(keyOf('test'));
  const waited: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (waited.push(ms), timeout(10)));
  const attempts: (string | undefined)[] = [];
  const refuses: Answer = ({ headers }) => {
    attempts.push(headers['x-gateway-attempt']);
    return new Response(null, { status: 500 });
  };
  const hangs: Answer = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const { stdout, forwarded } = await play(home, {
    streams: [stream(['evt_b', 'evt_c', 'evt_d'])],
    receiver: [refuses, refuses, refuses, hangs, hangs, hangs, ok],
    until: 'evt_d',
  });
  expect(forwarded).toEqual(['evt_b', 'evt_b', 'evt_b', 'evt_c', 'evt_c', 'evt_c', 'evt_d']);
  expect(attempts).toEqual(['1', '2', '3']);
  expect(new Set(waited)).toEqual(new Set([7_000]));
  expect(printed(stdout)).toMatchObject([
    { id: 'evt_b', status: 500, attempts: 3 },
    { id: 'evt_c', status: null, attempts: 3 },
    { id: 'evt_d', status: 204, attempts: 1 },
  ]);
});
