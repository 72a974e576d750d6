import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { homeUse } from '#src/processes/home-lock.ts';
import { endLeftovers, killLeftovers } from '#src/processes/process-register.ts';
import { progressUnless, type Progress } from '#src/progress.ts';
import { repository, StateDirectory } from '#src/state-directory.ts';

const homesParent = join(repository, '.gateway/test');

// Before its stack takes the lock, and after that gave it back, a directory in use is free.
const freeAgeMinMs = 10 * 60_000;

/** A state directory for one test; disposing of it removes it, and kills what still runs on it. Stop that first. */
export function temporaryHome(): { path: string } & Disposable {
  mkdirSync(homesParent, { recursive: true, mode: 0o711 });
  const path = mkdtempSync(join(homesParent, 'home-'));
  return {
    path,
    [Symbol.dispose]: () => {
      killLeftovers(new StateDirectory(path).processesFile);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Removes the temporary homes of test runs that were killed, and ends what still runs on them. */
export async function removeAbandonedHomes(progress: Progress = progressUnless(false)): Promise<void> {
  mkdirSync(homesParent, { recursive: true, mode: 0o711 });
  for (const name of readdirSync(homesParent)) {
    const path = join(homesParent, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) continue;
    const home = new StateDirectory(path);
    const use = homeUse(home);
    if (use === 'in use' || (use === 'free' && Date.now() - changedAt < freeAgeMinMs)) continue;
    await endLeftovers(home.processesFile, progress);
    rmSync(path, { recursive: true, force: true });
  }
}

/** The state directory: `GATEWAY_HOME`, else `.gateway` in the repository. */
export function gatewayHome(): string {
  return process.env.GATEWAY_HOME ? resolve(process.env.GATEWAY_HOME) : join(repository, '.gateway');
}
