import { afterEach, expect, test, vi } from 'vitest';
import { hasColours } from '#src/output/colours.ts';
import { keyOf, newHome, runCli } from '../support/run-cli.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['a terminal', undefined, {}, true, true],
  ['a pipe', undefined, {}, false, false],
  ['a terminal with NO_COLOR', undefined, { NO_COLOR: '1' }, true, false],
  ['a terminal with an empty NO_COLOR', undefined, { NO_COLOR: '' }, true, true],
  ['a terminal that is dumb', undefined, { TERM: 'dumb' }, true, false],
  ['--color never', 'never', {}, true, false],
  ['--color always in a pipe, whatever NO_COLOR says', 'always', { NO_COLOR: '1' }, false, true],
])('colours with %s', (_, when, variables, isTerminal, expected) => {
  expect(hasColours(when, variables, isTerminal)).toBe(expected);
});

const deposits = ['dep_1', 'dep_2'].map((id) => ({ id, object: 'deposit', status: 'PAID', amount_cents: 100 }));
const payout = { id: 'pyt_1', object: 'payout', status: 'PAID', amount_cents: 100 };

test('--quiet is the id alone, --jsonl a line for each record, and --json the answer as it came', async () => {
  using home = newHome(keyOf('test'));
  const page = { data: deposits, next_cursor: null };
  vi.stubGlobal('fetch', async (url: string) => Response.json(url.includes('/v1/payouts') ? { payout } : page));
  const printed = async (...args: readonly string[]) => (await runCli(args, home)).stdout;
  expect(await printed('deposits', 'list', '--quiet')).toBe('dep_1\ndep_2\n');
  expect(await printed('payouts', 'get', 'pyt_1', '--quiet')).toBe('pyt_1\n');
  expect(await printed('deposits', 'list', '--jsonl')).toBe(
    deposits.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  expect(JSON.parse(await printed('deposits', 'list'))).toEqual(page);
  expect(JSON.parse(await printed('payouts', 'get', 'pyt_1', '--json'))).toEqual({ payout });
});
