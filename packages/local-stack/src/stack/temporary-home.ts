import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { homeUse } from '#src/processes/home-lock.ts';
import { endLeftovers } from '#src/processes/process-register.ts';
import { progressUnless } from '#src/progress.ts';
import type { Progress } from '#src/progress.ts';
import { REPOSITORY } from '#src/stack/gateway-services.ts';
import { StateDirectory } from '#src/stack/state-directory.ts';

const PARENT = join(REPOSITORY, '.gateway/test');

// Before its stack takes the lock, and after that gave it back, a directory in use is free.
const FREE_AGE_MIN_MS = 10 * 60_000;

/** A state directory for one test; disposing of it removes it. Stop what runs on it first. */
export function temporaryHome(): { path: string } & Disposable {
  mkdirSync(PARENT, { recursive: true, mode: 0o711 });
  const path = mkdtempSync(join(PARENT, 'home-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Removes the temporary homes of test runs that were killed, and ends what still runs on them. */
export async function removeAbandonedHomes(progress: Progress = progressUnless(false)): Promise<void> {
  mkdirSync(PARENT, { recursive: true, mode: 0o711 });
  for (const name of readdirSync(PARENT)) {
    const path = join(PARENT, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) continue;
    const home = new StateDirectory(path);
    const use = homeUse(home);
    if (use === 'in use' || (use === 'free' && Date.now() - changedAt < FREE_AGE_MIN_MS)) continue;
    await endLeftovers(home.processesFile, progress);
    rmSync(path, { recursive: true, force: true });
  }
}
