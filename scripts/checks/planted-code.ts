/** Code that must be reported under `rule` where it is put. */
export interface PlantedCode {
  /** The kind of file the code is put in the place of. */
  readonly where: RegExp;
  readonly rule: string;
  readonly code: string;
}

const source = /^packages\/contracts\/src\/.+(?<!index|config)[.]ts$/;
const test = /[.]test[.]ts$/;

const longFunction = `export function long(): number {\n  let sum = 0;\n${'  sum += 1;\n'.repeat(70)}  return sum;\n}\n`;
const longFile = 'export {};\n'.repeat(251);

const service = /^services\/api-gateway\/src\/keys\/.+(?<!test)[.]ts$/;

const rules: readonly (readonly [RegExp, string, ...string[]])[] = [
  [
    service,
    'gateway/secret-comparison',
    'export const f = (secretHash: string, presented: string) => presented === secretHash;',
    'export const f = (key: { secret: string }, presented: string) => key.secret !== presented;',
    'export const f = (secretHashOf: (text: string) => Buffer, kept: Buffer) => secretHashOf("a").equals(kept);',
    'export const f = (tokens: string[], token: string) => tokens.includes(token);',
    'export const f = (mac: Buffer, given: Buffer) => Buffer.compare(mac, given);',
    "import { timingSafeEqual } from 'node:crypto';\nexport const f = timingSafeEqual;",
  ],
  [source, '@typescript-eslint/no-floating-promises', 'export function f(work: () => Promise<void>) { work(); }'],
  [
    source,
    '@typescript-eslint/no-misused-promises',
    'export function f(work: () => Promise<boolean>) { if (work()) throw new Error(); }',
  ],
  [source, '@typescript-eslint/await-thenable', 'export async function f(n: number) { await n; }'],
  [
    source,
    '@typescript-eslint/return-await',
    'export async function f(work: () => Promise<void>) { try { return work(); } catch { return undefined; } }',
  ],
  [
    source,
    '@typescript-eslint/switch-exhaustiveness-check',
    "export function f(k: 'a' | 'b') { switch (k) { case 'a': return 1; } return 2; }",
  ],
  [source, '@typescript-eslint/no-explicit-any', 'export const f = (value: any): unknown => value;'],
  [source, '@typescript-eslint/no-unsafe-assignment', 'export const f: string = JSON.parse("1");'],
  [source, '@typescript-eslint/only-throw-error', "export function f() { throw 'text'; }"],
  [source, '@typescript-eslint/prefer-readonly', 'export class C { private n = 1; get() { return this.n; } }'],
  [
    source,
    '@typescript-eslint/no-unnecessary-condition',
    'export function f(text: string) { return text === undefined; }',
  ],
  [
    source,
    '@typescript-eslint/no-shadow',
    'export const f = (tx: number, work: (g: (tx: number) => number) => void) => { work((tx) => tx); return tx; };',
  ],
  [
    source,
    '@typescript-eslint/consistent-type-imports',
    "import { Stats } from 'node:fs';\nexport const f = (s: Stats) => s.size;",
  ],
  [source, 'max-lines-per-function', longFunction],
  [source, 'max-lines', longFile],
  [source, 'no-console', 'console.log(1);'],
  [source, 'no-restricted-properties', 'export const a = process.env.A;', 'export const { env } = process;'],
  [
    source,
    'no-restricted-imports',
    "import { env } from 'node:process';\nexport default env;",
    "import { join } from 'path';\nexport default join;",
    "import { money } from '../money/money.ts';\nexport default money;",
    "import { money } from '@gateway/contracts/src/money/money.ts';\nexport default money;",
  ],
  [
    source,
    'no-restricted-syntax',
    'export const f = (n: number) => n.toFixed(2);',
    'export const f = (text: string) => Number.parseFloat(text);',
  ],
  [
    source,
    'gateway/import-order',
    "import { z } from 'zod';\nimport { join } from 'node:path';\nexport default [z, join];",
    "import { a } from '@gateway/pix';\nimport { z } from 'zod';\nexport default [z, a];",
    "import { a } from '#src/environment.ts';\nimport { b } from '@gateway/pix';\nexport default [b, a];",
  ],
  [
    /^packages\/pix\/src\/.+(?<!test)[.]ts$/,
    'gateway/words',
    'export const judgeKey = 1;',
    'export function f(verdict: string) { return verdict; }',
    '/** Nobody reads it. */\nexport {};',
  ],
  [source, 'no-warning-comments', '// TODO later\nexport {};'],
  [
    test,
    'no-restricted-syntax',
    "test.only('it holds', () => {});",
    "test.skip('it holds', () => {});",
    "describe.skipIf(true)('all of it', () => {});",
    "it('it holds', { skip: true }, () => {});",
    "test('it holds', ({ skip }) => { skip(); });",
    "test('it holds', async () => { await new Promise((resolve) => setTimeout(resolve, 10)); });",
    "import { setTimeout } from 'node:timers/promises';\ntest('it holds', async () => { await setTimeout(10); });",
  ],
];

export const plantedCode: readonly PlantedCode[] = rules.flatMap(([where, rule, ...codes]) =>
  codes.map((code) => ({ where, rule, code })),
);
