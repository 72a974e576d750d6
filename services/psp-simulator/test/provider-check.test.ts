import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProviderCheck } from '@gateway/providers';
import { Readiness } from '@gateway/runtime';
import { createCertificateAuthority, createTestDatabase, freePort, silentLogger } from '@gateway/test-kit';
import { Charge } from '#src/account/charge.ts';
import { AccessToken } from '#src/bacen/oauth.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { startService } from '#src/service.ts';

const callbackUrl = 'http://127.0.0.1:8080';
const clientSecret = 'Client_Secret_simulator';
const directory = mkdtempSync(join(tmpdir(), 'provider-check-'));
const stopping = new AsyncDisposableStack();
stopping.defer(() => rmSync(directory, { recursive: true, force: true }));

let simulatorUrl: string;

beforeAll(async () => {
  simulatorUrl = `http://127.0.0.1:${await startSimulator()}`;
});
afterAll(async () => stopping.disposeAsync());

async function startSimulator(env: Record<string, string> = {}): Promise<number> {
  const schema = { entities: [Charge, AccessToken], migrations };
  const { url } = stopping.use(await createTestDatabase('psp-simulator', schema));
  const context = { logger: silentLogger, readiness: new Readiness(), signal: new AbortController().signal };
  const service = { name: 'psp-simulator', env: { DATABASE_URL: url, PORT: '0', ...env }, ...context };
  return stopping.use(await startService(service)).port;
}

/** Efí as the simulator serves it, with some members changed. */
function efi(changes: object = {}): object {
  return {
    kind: 'efi',
    id: 'efi',
    baseUrl: simulatorUrl,
    tokenUrl: `${simulatorUrl}/oauth/token`,
    clientId: 'Client_Id_simulator',
    clientSecret,
    receivingKey: 'recebimentos@simulator.test',
    payingKey: 'pagamentos@simulator.test',
    notifications: { secret: 'simulator-notification-secret' },
    callTimeoutMs: 2_000,
    ...changes,
  };
}

interface Report {
  readonly code: number;
  readonly text: string;
}

async function check(providers: readonly object[], args: readonly string[] = [], now = () => new Date()) {
  const env = { PROVIDERS: JSON.stringify(providers), PROVIDERS_CALLBACK_URL: callbackUrl };
  return await checkIn(env, args, now);
}

async function checkIn(env: Record<string, string>, args: readonly string[], now = () => new Date()): Promise<Report> {
  const lines: string[] = [];
  const code = await runProviderCheck(args, { env, now, print: (line) => void lines.push(line) });
  const text = lines.join('\n');
  for (const secret of [clientSecret, 'simulator-notification-secret', 'wrong-secret'])
    expect(text).not.toContain(secret);
  return { code, text };
}

function linesOf({ text }: Report, mark: 'FAIL' | 'ok' | 'skip'): string[] {
  return text.split('\n').filter((line) => line.trim().startsWith(mark));
}

describe('a configuration that is complete', () => {
  test('every provider of the simulator lacks its webhook alone, has it after --register, and then nothing is missing', async () => {
    const env = { SIMULATOR_URL: simulatorUrl, PROVIDERS_CALLBACK_URL: callbackUrl };
    const before = await checkIn(env, []);
    expect(before.code).toBe(1);
    expect(linesOf(before, 'FAIL').every((line) => line.includes('webhook'))).toBe(true);
    expect(before.text).toContain('the receiving key has no address; the paying key has no address');
    const registered = await checkIn(env, ['--register']);
    expect(linesOf(registered, 'FAIL')).toEqual([]);
    expect(registered.code).toBe(0);
    const after = await checkIn(env, ['--provider', 'efi', '--environment', 'live']);
    expect(after.code).toBe(0);
    expect(after.text).toContain('nothing is missing');
    expect(after.text).toContain(`registered for ${callbackUrl}/providers/efi/notifications`);
    expect(after.text).not.toContain('woovi');
  });

  test('the balance, each list and the scopes of the token are named', async () => {
    const { text } = await check([efi()], ['--register']);
    expect(text).toMatch(/ok {4}read the balance +BRL \d+\.\d\d available/);
    for (const name of ['read a charge', 'read a payout', 'read a refund', 'list payments', 'list disputes', 'clock']) {
      expect(text).toMatch(new RegExp(`ok {4}${name} `));
    }
    expect(text).toMatch(/ok {4}scopes to write +cob\.write, pix\.write, pix\.send/);
  });

  test('a registration with another address is named, and not shown', async () => {
    await check([efi()], ['--register']);
    const other = await check([efi({ notifications: { secret: 'another-notification-secret' } })]);
    expect(other.text).toContain('the receiving key has another address, or another secret in it');
    expect(other.text).not.toContain('another-notification-secret');
  });
});

describe('what is missing is reported in words', () => {
  test('a wrong secret: the credentials, and nothing else is tried', async () => {
    const report = await check([efi({ clientSecret: 'wrong-secret' })]);
    expect(report.code).toBe(1);
    expect(linesOf(report, 'FAIL')).toEqual([
      expect.stringContaining('401 to the request for a token: clientId and clientSecret are wrong'),
    ]);
    expect(linesOf(report, 'skip')).toEqual([expect.stringContaining('there is no token to call with')]);
  });

  test('a wrong AppID of Woovi', async () => {
    const report = await check([{ kind: 'woovi', id: 'woovi', baseUrl: simulatorUrl, appId: 'wrong-secret' }]);
    expect(report.text).toContain('the provider answered 401: appId wrong, inactive, or of the other environment');
  });

  test('a permission that the application lacks, by the name of its scope', async () => {
    const scope = 'cob.read cob.write pix.read pix.write webhook.read webhook.write gn.pix.send.read';
    const report = await check([efi({ scope })], ['--register']);
    expect(report.code).toBe(1);
    expect(report.text).toMatch(/FAIL {2}read the balance +the provider answered 403.*lacks scope gn\.balance\.read/);
    expect(report.text).toMatch(/FAIL {2}list disputes +the provider answered 403.*lacks scope gn\.infractions\.read/);
    expect(report.text).toMatch(/FAIL {2}scopes to write +the application lacks pix\.send, gn\.infractions\.write/);
    expect(linesOf(report, 'FAIL')).toHaveLength(3);
  });

  test('a provider that is down', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const report = await check([efi({ baseUrl: nowhere, tokenUrl: `${nowhere}/oauth/token` })]);
    expect(report.code).toBe(1);
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringContaining(`nothing listens at ${nowhere} (ECONNREFUSED)`)]);
  });

  test('a host that there is none of', async () => {
    const report = await check([{ kind: 'woovi', id: 'woovi', baseUrl: 'https://api.provider.invalid', appId: 'app' }]);
    expect(report.text).toMatch(/https:\/\/api\.provider\.invalid (has no address|cannot be reached)/);
  });

  test('a clock that is wrong', async () => {
    const report = await check([efi()], ['--register'], () => new Date(Date.now() + 120_000));
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringMatching(/clock +this machine is 1(19|20|21) s ahead of/)]);
  });

  test('a callback address that is not https', async () => {
    const env = { PROVIDERS: JSON.stringify([efi()]), PROVIDERS_CALLBACK_URL: 'http://gateway.example.com' };
    expect((await checkIn(env, [])).text).toContain(
      'http://gateway.example.com/providers/efi/notifications is not https',
    );
  });
});

describe('mutual TLS', () => {
  const authority = createCertificateAuthority('simulated provider');
  const server = authority.issue(['localhost']);
  const client = authority.issue(['client']);
  let baseUrl: string;

  beforeAll(async () => {
    const port = await startSimulator({
      TLS_CERTIFICATE_FILE: written('server.pem', server.cert),
      TLS_PRIVATE_KEY_FILE: written('server.key', server.key),
      TLS_CLIENT_AUTHORITY_FILE: written('authority.pem', authority.cert),
    });
    baseUrl = `https://localhost:${port}`;
  });

  function written(name: string, content: string): string {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  const overTls = (tls?: object) =>
    efi({
      baseUrl,
      tokenUrl: `${baseUrl}/oauth/token`,
      ...(tls ? { tls: { authority: authority.cert, ...tls } } : {}),
    });

  test('certificate, key and secret from files work, and the configuration itself holds none of them', async () => {
    const files = {
      certificate: { file: written('client.pem', client.cert) },
      privateKey: { file: written('client.key', client.key) },
    };
    const provider = { ...overTls(files), clientSecret: { file: written('client-secret', `${clientSecret}\n`) } };
    const report = await check([provider], ['--register']);
    expect(linesOf(report, 'FAIL')).toEqual([]);
    expect(report.text).toMatch(/ok {4}client certificate +CN=client, until \d{4}-\d\d-\d\d/);
  });

  test('a certificate of another authority', async () => {
    const other = createCertificateAuthority('another authority').issue(['client']);
    const report = await check([overTls({ certificate: other.cert, privateKey: other.key })]);
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringContaining('does not accept the client certificate')]);
  });

  test('no certificate where one is asked for', async () => {
    const report = await check([overTls({ authority: authority.cert })]);
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringContaining('nothing is presented')]);
  });

  test('a provider whose authority is not trusted', async () => {
    const report = await check([overTls()]);
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringContaining('set tls.authority')]);
  });

  test.each([
    ['a key of another certificate', { certificate: client.cert, privateKey: server.key }, 'does not belong'],
    ['something that is no certificate', { certificate: 'none', privateKey: client.key }, 'cannot be read'],
    ['a PKCS #12 that is none', { pkcs12: Buffer.from('none').toString('base64') }, 'cannot be read'],
  ])('%s is found without a call', async (_name, tls, words) => {
    const report = await check([overTls(tls)]);
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringContaining(words)]);
    expect(linesOf(report, 'skip')).toHaveLength(1);
  });

  test('a certificate that has ended', async () => {
    const ended = authority.issue(['client'], { expired: true });
    const report = await check([overTls({ certificate: ended.cert, privateKey: ended.key })]);
    expect(linesOf(report, 'FAIL')).toEqual([expect.stringMatching(/CN=client ended on .*: ask the provider/)]);
  });
});

describe('a command or a configuration that cannot be read ends with 2', () => {
  test.each([
    ['another option', ['--force'], 'usage:'],
    ['another environment', ['--environment', 'staging'], '--environment is live or test'],
    ['a provider that is not configured', ['--provider', 'other'], 'no provider other; configured are: efi'],
  ])('%s', async (_name, args, words) => {
    const { code, text } = await check([efi()], args);
    expect(code).toBe(2);
    expect(text).toContain(words);
  });

  test('no provider at all', async () => {
    const { code, text } = await check([]);
    expect(code).toBe(2);
    expect(text).toContain('set PROVIDERS');
  });

  test('members that do not fit and files that are not there, each by its path and without its value', async () => {
    const providers = [
      { ...efi(), clientSecret: { file: '/run/secrets/none' } },
      { ...efi(), clientSecret: 7 },
    ];
    const report = await check(providers);
    expect(report.code).toBe(2);
    expect(report.text).toContain('PROVIDERS 0.clientSecret the file /run/secrets/none cannot be read: ENOENT');
    const other = await check([{ ...efi(), clientSecret: 7 }]);
    expect(other.code).toBe(2);
    expect(other.text).toContain('PROVIDERS 0.clientSecret');
  });

  test('test mode has nothing to check', async () => {
    expect(await check([], ['--environment', 'test'])).toMatchObject({ code: 0 });
  });
});
