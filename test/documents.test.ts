import { execFile, type ExecFileException } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareTimeoutMs, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';
import { betweenSteps, PagePrograms } from './documents/page-programs.ts';
import { newMerchant, type Merchant } from './sdk/new-merchant.ts';
import { blocksOf, comparable, fixedIds, incompleteExamples, type Step, stepsOf } from './support/document.ts';

const root = join(import.meta.dirname, '..');
const operators = 'docs/operations/README.md';
/** Pages whose commands run here, in this order, on one stack. */
const pages = [
  'README.md',
  ...globSync('docs/*.md', { cwd: root }).filter(isInEveryLanguage).sort(),
  'docs/connector-guide.md',
  'docs/finance.md',
  'docs/proof.md',
  'sdks/cli/README.md',
  ...globSync('docs/{operations,providers}/*.md', { cwd: root }).sort(),
].filter((page) => stepsOf(read(page)).length > 0);
const allPages = [...new Set([...pages, ...globSync('{*,deploy/*,docs/**/*}.md', { cwd: root })])];
const languages = ['', 'sh', 'json', 'text', 'js', 'ts', 'py', 'python', 'sql', 'mermaid'];
const places = ['', 'start', 'compose', 'kubernetes', 'only'];
const pageTimeoutMs = 300_000;
/** The commands end before the test does, so that it says what they had printed until then. */
const commandsTimeoutMs = pageTimeoutMs - 15_000;

let home: string;
let stack: Stack;
let workplace: string;
let programs: PagePrograms;
const accounts = new Map<string, Promise<Merchant>>();
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  home = stopping.use(temporaryHome()).path;
  const env = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true', CHECKPOINT_INTERVAL_SEC: '1' };
  [programs, stack] = await Promise.all([
    PagePrograms.prepare(),
    startStack({ home, durable: false, quiet: true, traces: true, env }),
  ]);
  stopping.use(programs);
  stopping.use(stack);
  workplace = newWorkplace();
  symlinkSync(home, join(workplace, '.gateway'));
}, prepareTimeoutMs);
afterAll(async () => stopping.disposeAsync());

/** The account of a page whose examples are in every language: one after the other, they all sell in it. */
function accountOf(page: string): Promise<Merchant> {
  const account = accounts.get(page) ?? newMerchant(stack);
  accounts.set(page, account);
  return account;
}

/** A folder that has what a reader sees of the repository, without its state. */
function newWorkplace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  stopping.defer(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['examples', 'scripts', 'package.json', 'package-lock.json', 'node_modules', 'services']) {
    symlinkSync(join(root, name), join(folder, name));
  }
  return folder;
}

/** The same for a page whose examples are in every language. */
function workplaceOf({ publicKey, secretKey }: Merchant): string {
  const folder = newWorkplace();
  mkdirSync(join(folder, '.gateway'));
  const [first] = stack.dev.merchants;
  const merchant = { ...first, test: { public_key: publicKey, secret_key: secretKey } };
  const dev = { ...stack.dev, merchants: [merchant] };
  writeFileSync(join(folder, '.gateway/dev.json'), JSON.stringify(dev));
  return folder;
}

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** Pages that show each example in every language. */
function isInEveryLanguage(page: string): boolean {
  return stepsOf(read(page), 'ts').length > 0;
}

/** What each of the scripts prints, run one after the other in one shell, as a reader of the page runs it. */
async function outputsOf(scripts: readonly string[], folder: string): Promise<string[]> {
  const [receiver, secondReceiver] = [await freePort(), await freePort()];
  const text = [
    'set -e',
    'trap "kill \\$(jobs -p) 2>/dev/null || true" EXIT',
    scripts.join(`\necho\necho '${betweenSteps}'\n`),
  ]
    .join('\n')
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiver}`)
    .replaceAll(/(?<=127\.0\.0\.1:|RECEIVER_PORT=)400[12]/g, String(secondReceiver))
    .replaceAll('/tmp/', `${folder}/`);
  // The command line, as pages that use it type it.
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const program = `#!/bin/sh\nexec ${process.execPath} --conditions=gateway-source ${join(root, 'sdks/cli/src/main.ts')} "$@"\n`;
  writeFileSync(join(folder, 'bin/gateway'), program, { mode: 0o755 });
  const folders = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  const PATH = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, ...folders, PATH, RECEIVER_PORT: String(receiver), GATEWAY_HOME: home };
  const options = { cwd: folder, env, timeout: commandsTimeoutMs };
  const { stdout } = await promisify(execFile)('bash', ['-c', text], options).catch((error: unknown) => {
    const { message, stdout: printed = '', stderr = '' } = error as ExecFileException;
    throw new Error(`${message}\nprinted:\n${printed}${stderr}`, { cause: error });
  });
  return stdout.split(`${betweenSteps}\n`);
}

/** Each step has printed what the page shows of it. */
function expectAsShown(steps: readonly Step[], outputs: readonly string[], { isFirst = true } = {}): void {
  for (const [index, { script, shown }] of steps.entries()) {
    if (shown.length === 0) continue;
    const { printed, expected } = comparable(outputs[index] ?? '', shown, { isFirst });
    expect(printed, script).toEqual(expected);
  }
}

describe.each(pages)('%s', (page) => {
  test(
    'does what it says, command by command',
    async () => {
      const prologue = page.startsWith('docs/operations/') && page !== operators ? stepsOf(read(operators)) : [];
      const steps = [...prologue, ...stepsOf(read(page))];
      const folder = isInEveryLanguage(page) ? workplaceOf(await accountOf(page)) : workplace;
      const scripts = steps.map(({ script }) => script);
      expectAsShown(steps, await outputsOf(scripts, folder));
      if (page === 'docs/payments.md') expectAsShown(steps, await outputsOf(scripts, folder), { isFirst: false });
    },
    pageTimeoutMs,
  );
});

describe.concurrent.each(pages.filter(isInEveryLanguage))('%s in TypeScript, and then in Python', (page) => {
  test(
    'does what it says, in one program of its blocks, on the account that the shell has used before',
    async ({ expect: expectHere }) => {
      for (const language of ['ts', 'py'] as const) {
        const ports = [await freePort(), await freePort(), await freePort()];
        const change = (text: string) => text.replaceAll(/\b400([0-2])\b/g, (_, port) => String(ports[Number(port)]));
        programs.write(page, read(page), language, change);
        const { publicKey, secretKey, baseUrl } = await accountOf(page);
        const env = { GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: publicKey, GATEWAY_API_SECRET: secretKey };
        const { code, output } = await programs.run(page, language, env);
        expectHere(code, output).toBe(0);
        expectAsShown(stepsOf(read(page), language), output.split(`${betweenSteps}\n`), { isFirst: false });
      }
    },
    pageTimeoutMs,
  );
});

test(
  'the examples in TypeScript and Python, and those beside each operation of the reference, agree with the types of the SDKs',
  async () => {
    programs.writeReference();
    for (const page of pages.filter(isInEveryLanguage)) {
      for (const language of ['ts', 'py'] as const) programs.write(page, read(page), language);
    }
    expect(await programs.compile()).toEqual({ code: 0, output: '' });
    expect(await programs.check()).toEqual({ code: 0, output: expect.stringContaining('Success') });
  },
  pageTimeoutMs,
);

test('a page that has an example in another language than the shell has each example in all three', () => {
  const written = allPages.filter((page) => !page.startsWith('docs/generated/'));
  expect(written.flatMap((page) => incompleteExamples(read(page)))).toEqual([]);
  const block = (language: string) => `\`\`\`${language}\na\n\`\`\`\n\n`;
  const whole = ['sh', 'ts', 'py'].map(block).join('');
  expect(incompleteExamples(`${whole}A sentence.\n\n${block('ts only')}`)).toEqual([]);
  expect(incompleteExamples(`${whole}A sentence.\n\n${block('sh')}${block('py')}`)).toEqual(['sh,py: a']);
  expect(incompleteExamples(block('sh'))).toEqual([]);
});

test('every example that creates names its record anew, so that each can run again', () => {
  const ofMerchants = [...pages.filter(isInEveryLanguage), 'sdks/typescript/README.md', 'sdks/python/README.md'];
  const translated = globSync('docs/pt-br/*.md', { cwd: root });
  expect([...ofMerchants, ...translated].flatMap((page) => fixedIds(read(page)))).toEqual([]);
  const written = (language: string, text: string) => fixedIds(`\`\`\`${language}\n${text}\n\`\`\`\n`);
  expect(written('sh', `-d '{"external_id":"order-1"}'`)).toEqual(['order-1']);
  expect(written('sh', `-d "{\\"external_id\\":\\"order-2\\"}"`)).toEqual(['order-2']);
  expect(written('ts', `{ external_id: 'order-3' }`)).toEqual(['order-3']);
  expect(written('py', `create(external_id="order-4")`)).toEqual(['order-4']);
  expect(written('sh', `-d '{"external_id":"order-5-'$RUN'"}'`)).toEqual([]);
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
