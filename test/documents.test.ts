import { execFile, type ExecFileException } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';
import { blocksOf, comparable, stepsOf } from './support/document.ts';

const root = join(import.meta.dirname, '..');
const operators = 'docs/operations/README.md';
/** Pages whose commands run here, in this order, on one stack. */
const pages = [
  'README.md',
  'docs/merchant-guide.md',
  'docs/connector-guide.md',
  'docs/test-mode.md',
  'docs/finance.md',
  'docs/proof.md',
  ...globSync('docs/{operations,providers}/*.md', { cwd: root }).sort(),
].filter((page) => stepsOf(read(page)).length > 0);
const allPages = [...new Set([...pages, ...globSync('{*,deploy/*,docs/**/*}.md', { cwd: root })])];
const languages = ['', 'sh', 'json', 'text', 'js', 'ts', 'python', 'sql', 'mermaid'];
const places = ['', 'start', 'compose', 'kubernetes'];
const pageTimeoutMs = 120_000;
/** The commands end before the test does, so that it says what they had printed until then. */
const commandsTimeoutMs = pageTimeoutMs - 15_000;
const betweenSteps = '===== end of step =====';

let home: string;
let workplace: string;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  home = stopping.use(temporaryHome()).path;
  const env = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true', CHECKPOINT_INTERVAL_SEC: '1' };
  stopping.use(await startStack({ home, durable: false, quiet: true, traces: true, env }));
  workplace = mkdtempSync(join(tmpdir(), 'documents-'));
  stopping.defer(() => rmSync(workplace, { recursive: true, force: true }));
  symlinkSync(home, join(workplace, '.gateway'));
  for (const name of ['examples', 'scripts', 'package.json', 'package-lock.json', 'node_modules', 'services']) {
    symlinkSync(join(root, name), join(workplace, name));
  }
});
afterAll(async () => stopping.disposeAsync());

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** What each of the scripts prints, run one after the other in one shell, as a reader of the page runs it. */
async function outputsOf(scripts: readonly string[]): Promise<string[]> {
  const [receiver, secondReceiver] = [await freePort(), await freePort()];
  const text = [
    'set -e',
    'trap "kill \\$(jobs -p) 2>/dev/null || true" EXIT',
    scripts.join(`\necho\necho '${betweenSteps}'\n`),
  ]
    .join('\n')
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiver}`)
    .replaceAll(/(?<=127\.0\.0\.1:|RECEIVER_PORT=)400[12]/g, String(secondReceiver))
    .replaceAll('/tmp/', `${workplace}/`);
  const env = { ...process.env, RECEIVER_PORT: String(receiver), GATEWAY_HOME: home };
  const options = { cwd: workplace, env, timeout: commandsTimeoutMs };
  const { stdout } = await promisify(execFile)('bash', ['-c', text], options).catch((error: unknown) => {
    const { message, stdout: printed = '', stderr = '' } = error as ExecFileException;
    throw new Error(`${message}\nprinted:\n${printed}${stderr}`, { cause: error });
  });
  return stdout.split(`${betweenSteps}\n`);
}

describe.each(pages)('%s', (page) => {
  test(
    'does what it says, command by command',
    async () => {
      const prologue = page.startsWith('docs/operations/') && page !== operators ? stepsOf(read(operators)) : [];
      const steps = [...prologue, ...stepsOf(read(page))];
      const outputs = await outputsOf(steps.map(({ script }) => script));
      for (const [index, { script, shown }] of steps.entries()) {
        if (shown.length === 0) continue;
        const { printed, expected } = comparable(outputs[index] ?? '', shown);
        expect(printed, script).toEqual(expected);
      }
    },
    pageTimeoutMs,
  );
});

test('commands read the addresses of the stack that runs, on whatever ports it is', () => {
  const assumed = allPages.flatMap((page) =>
    stepsOf(read(page)).flatMap(({ script }) => (/127\.0\.0\.1:[89]0[89]0/.test(script) ? `${page}: ${script}` : [])),
  );
  expect(assumed).toEqual([]);
});

test('every block of every page is of a kind somebody runs or reads', () => {
  const strange = allPages.flatMap((page) =>
    blocksOf(read(page))
      .filter(({ language, place }) => !languages.includes(language) || !places.includes(place))
      .map(({ language, place }) => `${page}: ${language} ${place}`),
  );
  expect(strange).toEqual([]);
});

test('an output that differs from the page is noticed', () => {
  const [step] = stepsOf(
    '```sh\necho\n```\n\n```json\n{ "id": "dep_01m7xz7fck08jkpx4yq3yk6r6a", "a": 1, "…": "…" }\n```\n',
  );
  const shown = step?.shown ?? [];
  const same = comparable('{"id":"dep_01m7xz7fck08jkpx4yq3yk6r6b","a":1,"b":2}\n', shown);
  expect(same.printed).toEqual(same.expected);
  for (const output of [
    '',
    '{"id":"pyt_01m7xz7fck08jkpx4yq3yk6r6b","a":1}',
    '{"id":"dep_01m7xz7fck08jkpx4yq3yk6r6b","a":2}',
  ]) {
    const { printed, expected } = comparable(output, shown);
    expect(printed).not.toEqual(expected);
  }
  const more = comparable('{"id":"dep_01m7xz7fck08jkpx4yq3yk6r6b","a":1}\nmore\n', shown);
  expect(more.printed).not.toEqual(more.expected);
});
