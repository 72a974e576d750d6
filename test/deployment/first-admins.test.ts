import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { enrolledPerson, firstOwner, type TrialPerson } from '../../deploy/trial-person.mjs';
import { timedCode } from '../support/operator-browser.ts';

const root = join(import.meta.dirname, '../..');
const stopping = new AsyncDisposableStack();
let stack: Stack;
let ana: TrialPerson;
let bruno: TrialPerson;
beforeAll(async () => {
  // An address that is not the developer's own: the product runs as others reach it, without DEV_LOGIN.
  vi.stubEnv('GATEWAY_HOST', '127.0.0.2');
  const home = stopping.use(temporaryHome());
  const env = { PASSKEYS_FOR_MONEY: '2' };
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true, env }));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stopping.disposeAsync();
});

/** As `docker compose exec identity` runs it. */
async function bootstrap(name: string): Promise<string> {
  const command = [join(root, 'services/identity/src/bootstrap.ts'), '--name', name];
  const { env } = stack.process('identity').definition;
  const { stdout } = await promisify(execFile)(process.execPath, command, { env, cwd: root });
  return stdout.split('\n')[0] ?? '';
}

const byToken = async (method: string, path: string, body?: object) => {
  const [token] = stack.dev.ops_tokens;
  const answer = await fetch(`${stack.opsUrl}${path}`, {
    ...{ method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, text: await answer.text() };
};

test('the first two admins of a deployment let the first merchant in, and the configured tokens watch', async () => {
  expect(stack.dev.merchants).toEqual([]);
  expect((await byToken('POST', '/ops/accounts', { name: 'Loja' })).status).toBe(403);
  ana = await enrolledPerson(await bootstrap('ana.lima'));
  bruno = await enrolledPerson(await bootstrap('bruno.reis'));
  await expect(bootstrap('carla.dias')).rejects.toThrow('two admins are there');
  const account = await ana.call('POST', '/ops/accounts', { name: 'Loja' });
  const keys = `/ops/accounts/${account.id}/keys`;
  const { approval } = await ana.call('POST', keys, { environment: 'live' });
  expect((await byToken('POST', `/ops/approvals/${approval.id}/approve`)).status).toBe(403);
  await expect(ana.call('POST', `/ops/approvals/${approval.id}/approve`)).rejects.toThrow('SECOND_PERSON_REQUIRED');
  const decided = await bruno.call('POST', `/ops/approvals/${approval.id}/approve`);
  expect(decided.approval).toMatchObject({ state: 'APPLIED', proposed_by: 'ana.lima', approved_by: 'bruno.reis' });
  const { claim_url: link, public_key: publicKey } = decided.approval.outcome;
  const claim = `/v1/keys/${publicKey}/claim`;
  const { status } = await fetch(link, {
    method: 'POST',
    headers: { accept: 'application/json', cookie: bruno.cookie },
  });
  expect(status).toBeGreaterThanOrEqual(400);
  await expect(bruno.call('POST', claim)).rejects.toThrow(/answered 4\d\d/);
  const olga = await firstOwner(account.id, [ana, bruno]);
  expect(await olga.call('POST', claim)).toEqual({
    public_key: publicKey,
    secret_key: expect.stringMatching(/^sk_live_/) as string,
  });
  await expect(olga.call('POST', claim)).rejects.toThrow('404');
  const seen = await byToken('GET', `/ops/audit?target=${account.id}`);
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('"operator":"ana.lima"')]);
});

test('a person of a deployment works in a terminal by the functions of the runbooks, and ends the session', async () => {
  const password = 'correct horse battery staple';
  const { challenge_id, secret } = await ana.call('POST', '/password/begin');
  await ana.call('PUT', '/password', { challenge_id, password, code: timedCode(secret) });
  const workplace = mkdtempSync(join(tmpdir(), 'terminal-'));
  stopping.defer(() => rmSync(workplace, { recursive: true, force: true }));
  writeFileSync(join(workplace, '.env'), `OPS_TOKEN_1=${stack.dev.ops_tokens[0]}\n`);
  const page = readFileSync(join(root, 'docs/operations/README.md'), 'utf8');
  const [, functions = ''] = /^```sh compose\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const credentials = JSON.stringify({ name: 'ana.lima', password, code: timedCode(secret, 1) });
  const script = [
    functions,
    `person /session/password -d '${credentials}' > /dev/null`,
    `person /ops/reconciliations -X POST | field status`,
    `ops '/ops/reconciliations?limit=1' | field 'data[0].status'`,
    `ops /ops/reconciliations -X POST | field error.code`,
    `person /session -X DELETE`,
    `person /ops/reconciliations -X POST | field error.code`,
  ];
  const origin = `http://localhost:${new URL(stack.opsUrl).port}`;
  const env = { ...process.env, OPERATOR_CONSOLE_URL: origin };
  const { stdout } = await promisify(execFile)('bash', ['-euc', script.join('\n')], { cwd: workplace, env });
  expect(stdout.split('\n').filter((line) => line !== '')).toEqual([
    ...['OK', 'OK', 'PERMISSION_DENIED'],
    expect.stringMatching(/^(AUTH_REQUIRED|SESSION_ENDED)$/),
  ]);
});
