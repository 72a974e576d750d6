import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '#src/state-directory.ts';

const source = join(repository, 'sdks/typescript');
const leftOut = /\/(?:node_modules|dist|test)$/;
const npmTimeoutMs = 120_000;

/** The TypeScript SDK as merchants have it. */
export interface InstalledSdk {
  readonly tarball: string;
  /** The project that has it, and nothing else. */
  readonly project: string;
}

/**
 * Builds and packs the TypeScript SDK by its own scripts, in a copy: what is built stays out of the repository.
 *
 * @param folder an empty one. @returns the file
 */
async function packSdk(folder: string): Promise<string> {
  const copy = join(folder, 'sdk');
  cpSync(source, copy, { recursive: true, filter: (path) => !leftOut.test(path) });
  // Where its scripts find their programs.
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  await npm(['pack', '--pack-destination', folder], copy);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing');
  return join(folder, tarball);
}

/** Packs it, and installs it without a registry in a project of its own. @param folder an empty one */
export async function installSdk(folder: string): Promise<InstalledSdk> {
  const packing = join(folder, 'packing');
  const project = join(folder, 'project');
  for (const each of [packing, project]) mkdirSync(each);
  const tarball = await packSdk(packing);
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }\n');
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  await npm(['install', ...quietly, tarball], project);
  return { tarball, project };
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)('npm', args, { cwd, timeout: npmTimeoutMs });
}
