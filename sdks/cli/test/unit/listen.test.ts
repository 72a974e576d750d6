import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { keyOf, newHome, runCli } from '../support/run-cli.ts';

afterEach(() => vi.unstubAllGlobals());

const ids = ['evt_a', 'evt_b', 'evt_c'];
const eventOf = (id: string) => ({
  ...{ id, object: 'event', event: 'deposit.paid', created_at: 1, environment: 'test', api_version: '0.1' },
  ...{ data_id: 'dep_1', data: { id: 'dep_1' } },
});

test('the place of listen is kept once an event was answered, and not before: what was under way comes again', async () => {
  using home = newHome(keyOf('test'));
  const ended = new AbortController();
  const forwarded: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { body, headers }: { body?: string; headers: Record<string, string> }) => {
    if (url.startsWith('http://receiver.test')) {
      const { id } = JSON.parse(body ?? '') as { id: string };
      forwarded.push(id);
      if (id !== 'evt_c') return new Response(null, { status: 200 });
      // The process ends while its receiver works on it.
      ended.abort();
      throw new Error('ended');
    }
    if (!url.includes('/v1/events/stream'))
      return new Response(JSON.stringify({ data: [eventOf('evt_a')], next_cursor: null }));
    const after = headers['last-event-id'] ?? '';
    const frames = ids.slice(ids.indexOf(after) + 1).map((id) => `id: ${id}\ndata: ${JSON.stringify(eventOf(id))}\n\n`);
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
  });
  const args = ['listen', '--forward-to', 'http://receiver.test/hooks'];
  expect((await runCli(args, home, ended.signal)).code).toBe(130);
  expect(forwarded).toEqual(['evt_b', 'evt_c']);
  const folder = join(home.folder, 'state/gateway/listen');
  const [file = ''] = readdirSync(folder);
  expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toEqual({ after: 'evt_b' });
  expect(readdirSync(folder)).toHaveLength(1);
});
