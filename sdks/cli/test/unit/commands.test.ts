import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { askSecret } from '#src/output/ask-secret.ts';
import type { Streams } from '#src/output/output.ts';
import { drawnQr } from '#src/output/qr.ts';
import { readConfig, keepProfile } from '#src/settings/profiles.ts';
import { stream } from '../support/play-listen.ts';
import { keyOf, newHome, runCli, secretOfTests } from '../support/run-cli.ts';

afterEach(() => vi.unstubAllGlobals());

test('login checks the pair whose secret is piped in, keeps it and shows nothing of it', async () => {
  using home = newHome();
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push([url, headers['x-api-key'], headers['x-api-secret']]);
    return Response.json({ id: 'acc_1', name: 'Loja', environment: 'test' });
  });
  const piped = Readable.from([Buffer.from(`${secretOfTests}\nnothing of it\n`)]);
  const args = ['login', '--profile', 'shop', '--base-url', 'http://gateway.test/', '--public-key', 'pk_test_shop'];
  const { code, stdout, stderr } = await runCli(args, home, undefined, undefined, piped);
  expect([code, stdout, stderr]).toEqual([0, '', 'profile shop: Loja, test, at http://gateway.test\n']);
  expect(sent).toEqual([['http://gateway.test/v1/account', 'pk_test_shop', secretOfTests]]);
  expect(readConfig(home.variables).profiles['shop']?.secret_key).toBe(secretOfTests);
  const nothing = await runCli(args, home, undefined, undefined, Readable.from([]));
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('no secret key came')]);
});

test('a secret that is typed at a terminal is shown nowhere', async () => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const asked = askSecret({ stdin, stderr } as unknown as Streams, 'Secret key (not shown): ');
  for (const key of `${secretOfTests}\r`) stdin.write(key);
  expect(await asked).toBe(secretOfTests);
  expect(String(stderr.read())).toBe('Secret key (not shown): \n');
});

test('profiles use makes a profile the current one, and one that is not there changes nothing', async () => {
  using home = newHome();
  for (const name of ['shop', 'other'])
    keepProfile(home.variables, name, {
      ...{ base_url: 'http://gateway.test', public_key: `pk_test_${name}`, secret_key: secretOfTests },
    });
  expect(readConfig(home.variables).current).toBe('other');
  expect((await runCli(['profiles', 'use', 'shop'], home)).code).toBe(0);
  expect((await runCli(['profiles', 'use', 'nothing'], home)).code).toBe(2);
  expect(readConfig(home.variables).current).toBe('shop');
});

test('which key is used is decided by flag, then by environment, then by the current profile, each with its own address', async () => {
  using home = newHome();
  for (const name of ['shop', 'other'])
    keepProfile(home.variables, name, {
      ...{ base_url: `http://${name}.test`, public_key: `pk_test_${name}`, secret_key: secretOfTests },
    });
  const used: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    used.push(`${headers['x-api-key']} at ${new URL(url).host}`);
    return Response.json({ id: 'acc_1', name: 'Loja', environment: 'test' });
  });
  const whoami = (more: object, ...args: readonly string[]) =>
    runCli(['whoami', ...args], { ...home, variables: { ...home.variables, ...more } });
  await whoami({});
  await whoami({ GATEWAY_PROFILE: 'shop' });
  await whoami({ ...keyOf('test'), GATEWAY_PROFILE: 'shop' });
  await whoami(keyOf('test'), '--base-url', 'http://flag.test');
  await whoami({ GATEWAY_PROFILE: 'other', GATEWAY_BASE_URL: 'http://another.test' }, '--profile', 'shop');
  const key = keyOf('test')['GATEWAY_API_KEY'];
  expect(used).toEqual([
    ...['pk_test_other at other.test', 'pk_test_shop at shop.test', `${key} at gateway.test`, `${key} at flag.test`],
    'pk_test_shop at shop.test',
  ]);
  const half = await whoami({ GATEWAY_API_KEY: 'pk_test_1' });
  expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('GATEWAY_API_KEY is set and')]);
});

test('fixtures list names each scenario that run plays', async () => {
  using home = newHome();
  const { data } = JSON.parse((await runCli(['fixtures', 'list'], home)).stdout) as { data: { name: string }[] };
  expect(data.map(({ name }) => name)).toEqual(['bad-day', 'dispute-lost', 'refunds', 'shop', 'spei-partial', 'usdt']);
  for (const { name } of data) expect((await runCli(['run', name, '--check'], home)).code).toBe(0);
});

test('events tail prints each event as it comes and keeps no place', async () => {
  using home = newHome(keyOf('test'));
  const ended = new AbortController();
  vi.stubGlobal('fetch', async () => stream(['evt_b', 'evt_c'], 'open')());
  const done = (line: string) => line.includes('evt_c') && setImmediate(() => ended.abort());
  const { code, stdout } = await runCli(['events', 'tail', '--after', 'evt_a'], home, ended.signal, done);
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect([code, ids]).toEqual([130, ['evt_b', 'evt_c']]);
  expect(() => readFileSync(join(home.folder, 'state/gateway/listen'))).toThrow('ENOENT');
});

test('logs --tail goes on with the calls of other runs', async () => {
  using home = newHome(keyOf('test'));
  vi.stubGlobal('fetch', async () => Response.json({ data: [], next_cursor: null }));
  const ended = new AbortController();
  const done = (line: string) => line.includes('/v1/payouts') && ended.abort();
  const tail = runCli(['logs', '--tail', '--quiet'], home, ended.signal, done);
  await runCli(['payouts', 'list'], home);
  const { code, stdout } = await tail;
  expect([code, JSON.parse(stdout)]).toEqual([130, expect.objectContaining({ method: 'GET', status: 200 })]);
});

test('--set makes numbers, true, false and null of what looks like them, and text of everything else', async () => {
  using home = newHome(keyOf('test'));
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push((JSON.parse(body) as { metadata: object }).metadata);
    return Response.json({ id: 'dep_1' }, { status: 201 });
  });
  const typed = [
    'cart=7',
    'debt=-7',
    'none=0',
    'code=007',
    'gift=true',
    'note=null',
    'url=a=b',
    'long=1234567890123456',
  ];
  const args = ['deposits', 'create', '--amount', '1', ...typed.flatMap((each) => ['--set', `metadata.${each}`])];
  expect((await runCli(args, home)).code).toBe(0);
  const texts = { code: '007', url: 'a=b', long: '1234567890123456' };
  expect(sent).toEqual([{ cart: 7, debt: -7, none: 0, gift: true, note: null, ...texts }]);
});

test('a code is drawn with half blocks, black modules as gaps', () => {
  expect(drawnQr('<svg viewBox="0 0 3 3"><path d="M0 0h1v1h-1zM1 1h2v1h-2z"/></svg>')).toBe('▄▀▀\n▀▀▀\n');
  expect(() => drawnQr('<svg/>')).toThrow('not one of this gateway');
});

test('completion for powershell asks the program itself', async () => {
  using home = newHome();
  const { stdout } = await runCli(['completion', 'powershell'], home);
  expect(stdout).toMatch(/^Register-ArgumentCompleter -Native -CommandName gateway/);
  expect((await runCli(['complete', '--', 'deposits', 'c'], home)).stdout.split('\n')).toContain('create');
});
