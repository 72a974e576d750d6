import { afterEach, expect, test, vi } from 'vitest';
import { keyOf, newHome, runCli } from '../support/run-cli.ts';

afterEach(() => vi.unstubAllGlobals());

const account = { id: 'acc_1', name: 'Loja', environment: 'test' };
const webhook = { id: 'whk_1', url: 'http://shop.example/hooks', status: 'enabled' };

interface Found {
  readonly clockAheadSec?: number;
  readonly accountStatus?: number;
  readonly webhooks?: readonly object[];
}

/** What the doctor finds at a gateway like this: its exit code, the state of each check, and all that it says. */
async function diagnosed(environment: 'test' | 'live', found: Found) {
  const { clockAheadSec = 0, accountStatus = 200, webhooks = [webhook] } = found;
  const answers: Readonly<Record<string, () => Response>> = {
    '/health': () =>
      new Response('{}', { headers: { date: new Date(Date.now() + clockAheadSec * 1_000).toUTCString() } }),
    '/v1/account': () =>
      accountStatus === 200
        ? Response.json(account)
        : Response.json({ error: { code: 'AUTH_INVALID', message: 'no', details: [] } }, { status: accountStatus }),
    '/v1/webhooks': () => Response.json({ data: webhooks, next_cursor: null }),
  };
  vi.stubGlobal('fetch', async (url: string) => answers[new URL(url).pathname]?.());
  using home = newHome(keyOf(environment));
  const { code, stdout, stderr } = await runCli(['doctor'], home);
  const { data } = JSON.parse(stdout) as { data: { check: string; status: string; detail: string }[] };
  return { code, states: data.map(({ check, status }) => `${check} ${status}`), stdout, stderr };
}

const profile = ['profile ok', 'reachable ok'];

test('the doctor finds nothing where all is well, a clock that is a few seconds away among it', async () => {
  const { code, states } = await diagnosed('test', { clockAheadSec: -4 });
  expect([code, states]).toEqual([0, [...profile, 'clock ok', 'key ok', 'webhooks ok']]);
});

test.each([
  [
    'a clock that is ahead',
    { clockAheadSec: -60 },
    9,
    ['clock failed', 'key skipped', 'webhooks skipped'],
    /set the clock/,
  ],
  [
    'a clock that is behind',
    { clockAheadSec: 60 },
    9,
    ['clock failed', 'key skipped', 'webhooks skipped'],
    /set the clock/,
  ],
  ['a key that is refused', { accountStatus: 401 }, 4, ['clock ok', 'key failed', 'webhooks skipped'], /AUTH_INVALID/],
  [
    'a webhook that was disabled',
    { webhooks: [{ ...webhook, status: 'disabled' }] },
    9,
    ['clock ok', 'key ok', 'webhooks failed'],
    /gateway webhooks update whk_1 --status enabled/,
  ],
] as const)(
  'the doctor finds %s, says what to do, and looks no further',
  async (_, found, expected, states, advice) => {
    const diagnosis = await diagnosed('test', found);
    expect([diagnosis.code, diagnosis.states]).toEqual([expected, [...profile, ...states]]);
    expect(diagnosis.stdout).toMatch(advice);
    expect(diagnosis.stderr).toMatch(advice);
  },
);

test('the doctor finds a webhook of live mode that is not https', async () => {
  const { code, stdout } = await diagnosed('live', {});
  expect([code, stdout]).toEqual([9, expect.stringContaining('whk_1 is not https')]);
});
