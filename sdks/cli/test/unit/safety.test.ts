import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { watchedFetch } from '#src/calls/watched-fetch.ts';
import { requirePermission } from '#src/calls/live-guard.ts';
import { keyOf, newHome, runCli, secretOfTests } from '../support/run-cli.ts';

afterEach(() => vi.unstubAllGlobals());

/** A gateway that answers everything with the same, and counts. */
function answering(status: number, body: object = {}, headers: Record<string, string> = {}) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    calls.push(`${method} ${new URL(url).pathname}`);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
  });
  return calls;
}

const refusal = (code: string, more: object = {}) => ({ error: { code, message: 'no', details: [], ...more } });

describe('a live key', () => {
  test.each([
    [['deposits', 'create', '--amount', '1', '--external-id', 'a']],
    [['payouts', 'create', '-d', '{"external_id":"a"}', '--yes']],
    [['webhooks', 'delete', 'whk_1']],
    [['ip-allowlist', 'replace', '--entries', '10.0.0.1']],
    [['api', 'POST', '/v1/payouts', '-d', '{}']],
    [['api', 'DELETE', '/v1/webhooks/whk_1']],
    [['trigger', 'deposit.paid', '--live']],
    [['run', 'shop', '--live']],
    [['seed', '--live']],
  ])('changes nothing without --live, and test mode never: %s', async (args) => {
    using home = newHome(keyOf('live'));
    const calls = answering(200);
    const { code, stdout, stderr } = await runCli(args, home);
    expect([code, stdout, calls]).toEqual([2, '', []]);
    expect(stderr).toContain('Nothing was sent');
  });

  test.each([
    ['payouts', ['payouts', 'create', '-d', '{"external_id":"a"}']],
    ['refunds', ['refunds', 'create', 'dep_1', '--external-id', 'a']],
    ['conversions', ['conversions', 'create', '--external-id', 'a', '--quote-id', 'qte_1']],
    ['any call of them', ['api', 'POST', '/v1/payouts?x=1', '-d', '{"external_id":"a"}']],
  ])('sends %s with --live only after a typed confirmation or --yes', async (_, args) => {
    using home = newHome(keyOf('live'));
    const record = { id: 'x_1' };
    const calls = answering(201, { payout: record, refund: record, conversion: record });
    const refused = await runCli([...args, '--live'], home);
    expect([refused.code, calls]).toEqual([2, []]);
    expect(refused.stderr).toContain('--yes');
    expect((await runCli([...args, '--live', '--yes'], home)).code).toBe(0);
    expect(calls).toHaveLength(1);
  });

  test('is confirmed by its own name alone', async () => {
    const connection = {
      name: 'shop',
      environment: 'live',
      base_url: '',
      public_key: 'pk_live_1',
      secret_key: '',
    } as const;
    const change = { method: 'POST', path: '/v1/payouts' };
    const typing = (typed: string) => requirePermission(change, connection, { live: true }, { ask: async () => typed });
    await expect(typing('yes')).rejects.toThrow('not confirmed');
    await expect(typing('shop')).resolves.toBeUndefined();
  });

  test('reads without a flag, and a change ends in the process whatever asks for it', async () => {
    using home = newHome(keyOf('live'));
    const calls = answering(200, { data: [], next_cursor: null });
    expect((await runCli(['deposits', 'list'], home)).code).toBe(0);
    expect(calls).toEqual(['GET /v1/deposits']);
    const guarded = watchedFetch({ environment: 'live', mayChange: false, variables: home.variables });
    const request = { method: 'POST', headers: {}, redirect: 'manual', signal: new AbortController().signal } as const;
    await expect(guarded('http://gateway.test/v1/payouts', request)).rejects.toThrow('nothing was sent');
    expect(calls).toHaveLength(1);
  });
});

describe('the file of profiles', () => {
  const profiles = {
    profiles: { shop: { base_url: 'http://gateway.test', public_key: 'pk_test_1', secret_key: secretOfTests } },
  };

  test.each([
    ['the file', 0o700, 0o640],
    ['the file', 0o700, 0o604],
    ['its folder', 0o750, 0o600],
  ])('is refused when others can read %s', async (_, folderMode, fileMode) => {
    using home = newHome();
    const folder = join(home.folder, 'config/gateway');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), JSON.stringify(profiles));
    chmodSync(join(folder, 'config.json'), fileMode);
    chmodSync(folder, folderMode);
    const calls = answering(200);
    const { code, stderr } = await runCli(['whoami', '--profile', 'shop'], home);
    expect([code, calls]).toEqual([2, []]);
    expect(stderr).toMatch(/others can read .*: chmod [67]00 /);
    chmodSync(folder, 0o700);
    chmodSync(join(folder, 'config.json'), 0o600);
    expect((await runCli(['whoami', '--profile', 'shop'], home)).code).toBe(0);
  });

  test('is written for its owner alone, and logout takes the key out of it', async () => {
    using home = newHome({ GATEWAY_HOME: '' });
    const dev = {
      base_url: 'http://gateway.test',
      merchants: [{ test: { public_key: 'pk_test_1', secret_key: secretOfTests } }],
    };
    mkdirSync(join(home.folder, '.gateway'));
    writeFileSync(join(home.folder, '.gateway/dev.json'), JSON.stringify(dev));
    answering(200, { id: 'acc_1', name: 'Loja', environment: 'test' });
    const inner = { ...home, folder: join(home.folder, '.gateway') };
    const { code, stdout, stderr } = await runCli(['login', '--local'], inner);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain(secretOfTests);
    const file = join(home.folder, 'config/gateway/config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.folder, 'config/gateway')).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, 'utf8')).toContain(secretOfTests);
    expect(JSON.parse((await runCli(['profiles'], home)).stdout)).toMatchObject({
      data: [{ name: 'local', current: true }],
    });
    expect((await runCli(['logout'], home)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('sk_');
  });

  test('shows live profiles in red', async () => {
    using home = newHome();
    const key = { base_url: 'http://gateway.test', secret_key: secretOfTests };
    const both = { live: { ...key, public_key: 'pk_live_1' }, shop: { ...key, public_key: 'pk_test_1' } };
    const folder = join(home.folder, 'config/gateway');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: both }), { mode: 0o600 });
    const { stdout } = await runCli(['profiles', '--table', '--color', 'always'], home);
    expect(stdout.split('\n').filter((line) => line.includes('\u001b[31m'))).toEqual([
      expect.stringMatching(/^live .*\u001b\[31mlive\s*\u001b\[0m/),
    ]);
  });

  test('keeps no pair that the gateway refuses', async () => {
    using home = newHome();
    answering(401, refusal('AUTH_INVALID'));
    mkdirSync(join(home.folder, '.gateway'));
    const dev = {
      base_url: 'http://gateway.test',
      merchants: [{ test: { public_key: 'pk_test_1', secret_key: secretOfTests } }],
    };
    writeFileSync(join(home.folder, '.gateway/dev.json'), JSON.stringify(dev));
    expect((await runCli(['login', '--local'], home)).code).toBe(4);
    expect((await runCli(['whoami'], home)).code).toBe(2);
  });
});

describe('the exit code', () => {
  test.each([
    [3, 400, 'VALIDATION_ERROR'],
    [3, 409, 'INVALID_STATE'],
    [3, 422, 'INSUFFICIENT_FUNDS'],
    [4, 401, 'AUTH_INVALID'],
    [4, 403, 'TEST_ONLY'],
    [5, 404, 'NOT_FOUND'],
    [6, 429, 'RATE_LIMITED'],
    [7, 500, 'INTERNAL_ERROR'],
    [7, 503, 'SERVICE_UNAVAILABLE'],
    [8, 504, 'PROVIDER_TIMEOUT'],
  ])('is %i for %i %s, and standard output stays empty', async (expected, status, code) => {
    using home = newHome(keyOf('test'));
    answering(status, refusal(code, { payout_id: 'pyt_1' }), { 'retry-after': '100' });
    const finished = await runCli(['payouts', 'create', '-d', '{"external_id":"a"}', '--timeout', '2'], home);
    expect([finished.code, finished.stdout]).toEqual([expected, '']);
    expect(finished.stderr).toContain(code);
    expect(finished.stderr).not.toContain(secretOfTests);
    if (expected === 8) expect(finished.stderr).toContain('gateway payouts get pyt_1');
  });

  test('is 8 for a payout whose answer was lost, which names the external_id to send it with again', async () => {
    using home = newHome(keyOf('test'));
    vi.stubGlobal('fetch', async () => {
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      });
    });
    const finished = await runCli(['payouts', 'create', '--amount', '10', '--timeout', '1'], home);
    const [, externalId = ''] = /^external_id (cli-\S+)$/m.exec(finished.stderr) ?? [];
    expect(finished.code).toBe(8);
    expect(finished.stderr).toContain(`--external-id ${externalId}`);
  });

  test('is 10 without a connection, within the timeout, and names the address', async () => {
    using home = newHome({ ...keyOf('test'), GATEWAY_BASE_URL: 'http://gateway.test:1' });
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    vi.stubGlobal('fetch', async () => {
      throw Object.assign(new TypeError('fetch failed'), { cause: refused });
    });
    const startedAt = Date.now();
    for (const args of [['whoami'], ['deposits', 'create', '--amount', '1'], ['doctor'], ['trigger', 'deposit.paid']]) {
      const { code, stderr } = await runCli([...args, '--timeout', '1'], home);
      expect([code, stderr.includes('http://gateway.test:1')]).toEqual([10, true]);
    }
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    for (const args of [
      ['help'],
      ['completion', 'bash'],
      ['logs'],
      ['profiles'],
      ['run', 'shop', '--check'],
      ['version'],
    ])
      expect((await runCli(args, home)).code).toBe(0);
  });

  test('is 10 for what was asked of a network that swallows everything, and 8 for a change, within the timeout', async () => {
    using home = newHome(keyOf('test'));
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const startedAt = Date.now();
    const commands = [
      [10, ['whoami']],
      [10, ['doctor']],
      [10, ['deposits', 'list', '--all']],
      [8, ['deposits', 'create', '--amount', '1']],
      [8, ['webhooks', 'test', 'whk_1']],
    ] as const;
    for (const [expected, args] of commands) {
      const { code, stderr } = await runCli([...args, '--timeout', '0.2'], home);
      expect([args, code]).toEqual([args, expected]);
      expect(stderr).toContain(expected === 10 ? 'http://gateway.test' : 'may have been carried out');
    }
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });

  test('is 1 for a bug, an answer in a form that the program does not know for instance, with the place of it', async () => {
    using home = newHome(keyOf('test'));
    answering(200, {});
    const { code, stdout, stderr } = await runCli(['deposits', 'list'], home);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^gateway: this is a bug: TypeError: .*\n\s+at /);
    expect(stderr).not.toContain(secretOfTests);
  });

  test('is 2 for what is typed wrongly, and 130 for what a person interrupts', async () => {
    using home = newHome(keyOf('test'));
    const calls = answering(200);
    const typed = [
      ['nothing'],
      ['deposits'],
      ['deposits', 'get'],
      ['deposits', 'list', '--nothing'],
      ['trigger', 'no.event'],
    ];
    const more = [
      ['deposits', 'create', '--amount', '1.000'],
      ['deposits', 'list', '--json', '--table'],
      ['api', 'GET', 'v1'],
    ];
    for (const args of [...typed, ...more]) expect([args, (await runCli(args, home)).code]).toEqual([args, 2]);
    expect(calls).toEqual([]);
    const interrupted = AbortSignal.abort();
    expect((await runCli(['deposits', 'list'], home, interrupted)).code).toBe(130);
  });
});
