import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identify, isRunning, type ProcessIdentity } from '#src/processes/process-register.ts';
import { StartFailure } from '#src/progress.ts';
import type { StateDirectory } from '#src/state-directory.ts';

const attemptsMax = 5;

/**
 * Makes this process the only one that runs a stack on this state directory. The lock of a process that has died
 * counts for nothing.
 *
 * @returns what gives the lock back.
 * @throws StartFailure when another running process holds it.
 */
export function lockHome(home: StateDirectory): () => void {
  const lock = takeLock(home.lockFile);
  if (typeof lock === 'function') return lock;
  if (lock === undefined) throw new StartFailure(`another start on ${home.path} is under way`);
  throw new StartFailure(
    `a stack already runs on ${home.path} (pid ${lock.pid}): stop it, or set GATEWAY_HOME to run another one`,
  );
}

/** @returns what gives the lock back, or the running process that holds it; undefined where others are just taking it */
export function takeLock(lockFile: string): (() => void) | ProcessIdentity | undefined {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      if (claim(own, lockFile)) return () => rmSync(lockFile, { force: true });
      const held = read(lockFile);
      const holder = parse(held);
      if (holder !== undefined && isRunning(holder)) return holder;
      removeStale(lockFile, held);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Whether a running process holds the directory, one held it and has died, or none ever did or gave it back. */
export function homeUse(home: StateDirectory): 'in use' | 'abandoned' | 'free' {
  const holder = parse(read(home.lockFile));
  if (holder === undefined) return 'free';
  return isRunning(holder) ? 'in use' : 'abandoned';
}

// A hard link appears with its content, and only if the name is free.
function claim(own: string, lockFile: string): boolean {
  try {
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

// Two starts may find the same stale lock: who moves a fresh one away by mistake puts it back.
function removeStale(lockFile: string, stale: string): void {
  const aside = `${lockFile}.stale.${process.pid}`;
  try {
    renameSync(lockFile, aside);
    if (read(aside) !== stale) linkSync(aside, lockFile);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parse(content: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(content) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
