import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';

// Another installation that is under way is waited for, instead of failing at its lock.
const lockTimeoutSec = 300;

/** Whether this machine has Debian's packages. */
export function hasDebianPackages(): boolean {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Installs packages; the lists are updated when they do not have them. @returns false when that cannot be: no root, no apt. */
export async function installPackages(names: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !hasDebianPackages()) return false;
  const install = ['install', '-y', '--no-install-recommends', '-o', `DPkg::Lock::Timeout=${lockTimeoutSec}`];
  return withLists(() => succeeds('apt-get', [...install, ...names]));
}

/**
 * Unpacks a package into a directory: needs no root, and starts nothing.
 *
 * @returns false when it could not be fetched.
 */
export async function unpackPackage(name: string, directory: string): Promise<boolean> {
  if (!hasDebianPackages()) return false;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!(await withLists(() => succeeds('apt-get', ['download', name], directory)))) return false;
  const archive = readdirSync(directory).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  return archive !== undefined && succeeds('dpkg-deb', ['-x', archive, '.'], directory);
}

/** A second attempt with new lists, where they may be updated. */
async function withLists(attempt: () => Promise<boolean>): Promise<boolean> {
  if (await attempt()) return true;
  if (process.getuid?.() !== 0) return false;
  await succeeds('apt-get', ['update']);
  return attempt();
}

async function succeeds(command: string, args: string[], cwd?: string): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(command, args, { cwd, env, stdio: 'ignore' });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}
