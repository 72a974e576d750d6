import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { freePort } from './support/free-port.ts';
import type { Json } from './support/merchant-client.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, tour = ''] = readme.split('## The first deposit');

let stack: Stack;
let workplace: string;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  const env = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' };
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true, env }));
  workplace = mkdtempSync(join(tmpdir(), 'readme-'));
  stopping.defer(() => rmSync(workplace, { recursive: true, force: true }));
  symlinkSync(home.path, join(workplace, '.gateway'));
  symlinkSync(join(root, 'examples'), join(workplace, 'examples'));
});
afterAll(async () => stopping.disposeAsync());

function blocks(language: string): string[] {
  const fence = '```';
  const block = new RegExp(`${fence}${language}\\n([\\s\\S]*?)${fence}`, 'g');
  return [...tour.matchAll(block)].map((match) => match[1] ?? '');
}

/** What differs from run to run, by its form; everything else has to be as shown. */
function withoutTheVolatile(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTheVolatile);
  if (typeof value === 'number') return value > 1_700_000_000 ? 'a time' : value;
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutTheVolatile(member)]));
  }
  if (typeof value !== 'string') return value;
  return value
    .replace(/^([a-z]{3})_[0-9a-z]{26}$/, '$1_')
    .replace(/dep_[0-9a-z]{26}\/qr\.svg\?token=test\.acc_[0-9a-z]{26}\.\d{10}\.[\w-]{43}$/, 'qr.svg')
    .replace(/^whsec_.+/, 'whsec_')
    .replace(/^E\d{20}\w{11}$/, 'E')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a time')
    .replace(/[0-9a-f]{32}|6304[0-9A-F]{4}$/g, '')
    .replace(/127\.0\.0\.1:\d+/, '127.0.0.1');
}

describe('the first deposit of the README', () => {
  test('gives what the README shows, through to the verified signature', async () => {
    const port = String(await freePort());
    const script = ['set -e', ...blocks('bash'), 'sleep 1', 'kill %1']
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', stack.baseUrl)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`)
      .replaceAll('/tmp/', `${workplace}/`);
    const env = { ...process.env, PORT: port };
    const { stdout } = await promisify(execFile)('bash', ['-m', '-c', script], { cwd: workplace, env });
    const lines = stdout.split('\n').filter((line) => line.length > 0);
    const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    const shown = blocks('json').map((block) => JSON.parse(block));
    expect(answers.map(withoutTheVolatile)).toEqual(shown.map(withoutTheVolatile));
    const heard = lines.filter((line) => line.startsWith('genuine')).map((line) => line.split(' ')[1]);
    expect(heard.sort()).toEqual(['deposit.paid', 'deposit.pending', 'payout.paid', 'payout.processing']);
  });
});
