import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, eventOf, ok, play, stream } from '../support/play-listen.ts';
import { keyOf, newHome, runCli } from '../support/run-cli.ts';

afterEach(() => vi.unstubAllGlobals());

test('-e narrows what listen reads, with a place of its own for each filter, and --contract chooses the form', async () => {
  using home = newHome(keyOf('test'));
  const versions: (string | undefined)[] = [];
  const read: Answer = (init) => {
    versions.push(init.headers['x-api-version']);
    return stream(['evt_b'])();
  };
  const scene = { streams: [read], receiver: [ok], until: 'evt_b' };
  const filter = ['--after', 'evt_a', '-e', 'payout.*', '-e', 'deposit.paid,med.*', '--contract', '1.0'];
  const { called, code } = await play(home, { ...scene, args: filter });
  expect([code, versions]).toEqual([130, ['1.0']]);
  expect(called[0]?.searchParams.getAll('event')).toEqual(['payout.*', 'deposit.paid', 'med.*']);
  await play(home, scene);
  expect(readdirSync(join(home.folder, 'state/gateway/listen'))).toHaveLength(2);
});

test('--since begins after the last event before that time, in place of where it was', async () => {
  using home = newHome(keyOf('test'));
  const { called, openedAfter } = await play(home, {
    lists: [() => Response.json({ data: [eventOf('evt_old')], next_cursor: null })],
    streams: [stream(['evt_b'])],
    receiver: [ok],
    until: 'evt_b',
    args: ['--since', '90m'],
  });
  expect(openedAfter[0]).toBe('evt_old');
  const asked = called[0]?.searchParams;
  expect(asked?.get('limit')).toBe('1');
  expect(Math.abs(Date.parse(asked?.get('to') ?? '') - (Date.now() - 90 * 60_000))).toBeLessThan(60_000);
});

test.each([
  [['--since', '1h', '--after', 'evt_a'], 'exclude each other'],
  [['--since', '1y'], '--since is a time'],
  [['--after', 'dep_a'], '--after is the id of an event'],
  [['-H', 'no header'], '--header is typed'],
])('what is no beginning and no header is refused before anything is sent: %s', async (args, named) => {
  using home = newHome(keyOf('test'));
  vi.stubGlobal('fetch', () => {
    throw new Error('nothing is sent');
  });
  const { code, stderr } = await runCli(['listen', '--forward-to', 'http://receiver.test/', ...args], home);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
});

test('-H sends headers besides, and --save keeps what verify reads', async () => {
  using home = newHome(keyOf('test'));
  const sent: (string | undefined)[] = [];
  const receives: Answer = ({ headers }) => {
    sent.push(headers['x-shop'], headers['authorization']);
    return ok();
  };
  const folder = join(home.folder, 'kept');
  const args = ['--after', 'evt_a', '-H', 'X-Shop: 7', '--header', 'authorization:Bearer a:b', '--save', folder];
  await play(home, { streams: [stream(['evt_b'])], receiver: [receives], until: 'evt_b', args });
  expect(sent).toEqual(['7', 'Bearer a:b']);
  expect(existsSync(join(folder, 'evt_b.json'))).toBe(true);
  const { stdout: secret } = await runCli(['listen', '--print-secret'], home);
  const another = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const kept = ['--headers', join(folder, 'evt_b.headers.json'), '--body', join(folder, 'evt_b.json')];
  expect((await runCli(['verify', '--secret', secret.trim(), ...kept], home)).code).toBe(0);
  expect((await runCli(['verify', '--secret', another, ...kept], home)).code).toBe(9);
});

test('r sends the last event again without moving the place, and q ends it with success', async () => {
  using home = newHome(keyOf('test'));
  const { code, forwarded, place } = await play(home, {
    streams: [stream(['evt_b', 'evt_c'], 'open')],
    receiver: [ok],
    until: 'none',
    keys: ['', 'r', 'q'],
  });
  expect([code, forwarded, place]).toEqual([0, ['evt_b', 'evt_c', 'evt_c'], { after: 'evt_c' }]);
});
