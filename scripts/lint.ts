import { parseArgs } from 'node:util';
import { ESLint } from 'eslint';
import { repositoryRoot, typeScriptFiles } from './checks/repository.ts';

const source = /^packages\/contracts\/src\/.+(?<!index|config)[.]ts$/;
const test = /^packages\/pix\/test\/.+[.]test[.]ts$/;

/** Code that breaks each of our own rules, and one rule that needs types: read in the place of a file of that kind. */
const planted: readonly (readonly [where: RegExp, rule: string, code: string])[] = [
  [
    source,
    'gateway/secret-comparison',
    'export const f = (secretHash: string, given: string) => given === secretHash;',
  ],
  [
    source,
    'gateway/secret-comparison',
    'export const f = (key: { secret: string }, given: string) => key.secret !== given;',
  ],
  [
    source,
    'gateway/secret-comparison',
    'export const f = (secretHashOf: (text: string) => Buffer, kept: Buffer) => secretHashOf("a").equals(kept);',
  ],
  [
    source,
    'gateway/secret-comparison',
    'export const f = (tokens: string[], token: string) => tokens.includes(token);',
  ],
  [source, 'gateway/secret-comparison', 'export const f = (mac: Buffer, given: Buffer) => Buffer.compare(mac, given);'],
  [
    source,
    'gateway/secret-comparison',
    "import { timingSafeEqual } from 'node:crypto';\nexport const f = timingSafeEqual;",
  ],
  [
    source,
    'gateway/import-order',
    "import { z } from 'zod';\nimport { join } from 'node:path';\nexport default [z, join];",
  ],
  [
    source,
    'gateway/import-order',
    "import { a } from '#src/environment.ts';\nimport { b } from '@gateway/pix';\nexport default [b, a];",
  ],
  [source, 'gateway/words', 'export function f(verdict: string) { return verdict; }'],
  [source, 'gateway/words', '/** Nobody reads it. */\nexport {};'],
  [source, '@typescript-eslint/no-floating-promises', 'export function f(work: () => Promise<void>) { work(); }'],
  [source, 'no-restricted-properties', 'export const a = process.env.A;'],
  [source, 'no-restricted-imports', "import { money } from '../money/money.ts';\nexport default money;"],
  [source, 'no-restricted-syntax', 'export const f = (n: number) => n.toFixed(2);'],
  [test, 'no-restricted-syntax', "test.skip('it holds', () => {});"],
  [
    test,
    'no-restricted-syntax',
    "test('it holds', async () => { await new Promise((resolve) => setTimeout(resolve, 10)); });",
  ],
];

/** `npm run lint [-- --fix] [files]`: ESLint over the repository, and over planted code that it has to report. */
const {
  values: { fix },
  positionals: files,
} = parseArgs({ options: { fix: { type: 'boolean', default: false } }, allowPositionals: true });
// The parser then reads each project once, as it is on the disk. What is corrected or planted is not there.
process.env.TSESTREE_SINGLE_RUN = String(!fix);
// A file that is named and that the configuration ignores is no complaint.
const eslint = new ESLint({ cwd: repositoryRoot, fix, warnIgnored: false });
const results = await eslint.lintFiles(files.length > 0 ? files : ['.']);
if (fix) await ESLint.outputFixes(results);
const missed = files.length > 0 ? [] : await missedPlants();

const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
for (const line of missed) process.stdout.write(`${line}\n`);
if (missed.length > 0 || results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0)) {
  process.exitCode = 1;
}

/** Only files of the project have types, so the planted text stands in for one of them, in memory. */
async function missedPlants(): Promise<string[]> {
  process.env.TSESTREE_SINGLE_RUN = 'false';
  const planting = new ESLint({
    cwd: repositoryRoot,
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { project: ['scripts/lint/tsconfig.planted.json'] } },
    },
  });
  const ours = await typeScriptFiles(['packages']);
  const complaints: string[] = [];
  for (const [where, rule, code] of planted) {
    const [result] = await planting.lintText(code, { filePath: ours.find((file) => where.test(file)) ?? 'missing.ts' });
    if (!result?.messages.some(({ ruleId }) => ruleId === rule))
      complaints.push(`planted violation of ${rule} was not reported: ${code}`);
  }
  return complaints;
}
