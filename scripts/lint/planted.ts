import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';

/** Code that breaks each of our own rules, and one rule that needs types, with the kind of file that it stands in. */
export const planted: readonly (readonly [where: 'source' | 'test', rule: string, code: string])[] = [
  [
    'source',
    'gateway/secret-comparison',
    'export const f = (secretHash: string, given: string) => given === secretHash;',
  ],
  [
    'source',
    'gateway/secret-comparison',
    'export const f = (key: { secret: string }, given: string) => key.secret !== given;',
  ],
  [
    'source',
    'gateway/secret-comparison',
    'export const f = (secretHashOf: (text: string) => Buffer, kept: Buffer) => secretHashOf("a").equals(kept);',
  ],
  [
    'source',
    'gateway/secret-comparison',
    'export const f = (tokens: string[], token: string) => tokens.includes(token);',
  ],
  [
    'source',
    'gateway/secret-comparison',
    'export const f = (mac: Buffer, given: Buffer) => Buffer.compare(mac, given);',
  ],
  [
    'source',
    'gateway/secret-comparison',
    "import { timingSafeEqual } from 'node:crypto';\nexport const f = timingSafeEqual;",
  ],
  [
    'source',
    'gateway/import-order',
    "import { z } from 'zod';\nimport { join } from 'node:path';\nexport default [z, join];",
  ],
  [
    'source',
    'gateway/import-order',
    "import { a } from '#src/environment.ts';\nimport { b } from '@gateway/pix';\nexport default [b, a];",
  ],
  ['source', 'gateway/words', 'export function f(verdict: string) { return verdict; }'],
  ['source', 'gateway/words', '/** Nobody reads it. */\nexport {};'],
  ['source', 'typescript/no-floating-promises', 'export function f(work: () => Promise<void>) { work(); }'],
  ['source', 'no-restricted-properties', 'export const a = process.env.A;'],
  ['source', 'eslint-js/no-restricted-imports', "import { money } from '../money/money.ts';\nexport default money;"],
  ['source', 'eslint-js/no-restricted-syntax', 'export const f = (n: number) => n.toFixed(2);'],
  ['test', 'eslint-js/no-restricted-syntax', "test.skip('it holds', () => {});"],
  [
    'test',
    'eslint-js/no-restricted-syntax',
    "test('it holds', async () => { await new Promise((resolve) => setTimeout(resolve, 10)); });",
  ],
];

const folderOf = { source: 'packages/contracts/src', test: 'packages/pix/test' };

/** Where the planted code of that index stands in the repository below. */
export function fileOf(index: number): string {
  const where = planted[index]?.[0] ?? 'source';
  return `${folderOf[where]}/planted-${index}${where === 'test' ? '.test' : ''}.ts`;
}

/** A throw-away repository with our configuration and nothing but the planted code. */
export async function plantRepository(): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'gateway-planted-'));
  const ours = ['oxlint.config.ts', 'scripts', 'node_modules', 'tsconfig.base.json'];
  await Promise.all([
    ...ours.map((name) => symlink(join(repositoryRoot, name), join(root, name))),
    ...Object.values(folderOf).map((folder) => mkdir(join(root, folder), { recursive: true })),
  ]);
  const config = { extends: './tsconfig.base.json', compilerOptions: { noEmit: true }, include: ['packages'] };
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config));
  await Promise.all(planted.map(([, , code], index) => writeFile(join(root, fileOf(index)), `${code}\n`)));
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}
