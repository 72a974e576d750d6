import { afterEach, expect, test, vi } from 'vitest';
import {
  type Answer,
  count,
  eventOf,
  linesOf,
  ok,
  play,
  refusal,
  refusedConnection,
  stream,
} from '../support/play-listen.ts';
import { keyOf, newHome } from '../support/run-cli.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

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

test('how far a filter has looked is kept where no event says it, for the next connection and the next run', async () => {
  using home = newHome(keyOf('test'));
  const frames = [`id: evt_b\ndata: ${JSON.stringify(eventOf('evt_b'))}`, 'id: evt_m\n:', ':', ':'];
  const looked = () =>
    new Response(`retry: 1\n\n${frames.join('\n\n')}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  const streams = [looked, refusal(401)];
  const { forwarded, openedAfter, place } = await play(home, { streams, receiver: [ok], until: 'evt_z' });
  expect([forwarded, openedAfter, place]).toEqual([['evt_b'], ['evt_a', 'evt_m'], { after: 'evt_m' }]);
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
  expect(linesOf(stdout)).toMatchObject([
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
  expect(linesOf(stdout)).toMatchObject([
    { id: 'evt_b', status: 500, attempts: 3 },
    { id: 'evt_c', status: null, attempts: 3 },
    { id: 'evt_d', status: 204, attempts: 1 },
  ]);
});
