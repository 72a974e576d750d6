import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { processStartTime, signalProcess } from '#src/processes/process-register.ts';
import { waitUntil } from '#src/processes/probes.ts';
import { StartFailure, type Progress } from '#src/progress.ts';

const fastShutdownTimeoutMs = 20_000;
const immediateShutdownTimeoutMs = 10_000;

/**
 * Ends a server that still runs on this data directory, and removes the lock file of one that does not: its pid may
 * belong to another process by now, and PostgreSQL would refuse to start.
 */
export async function endLeftoverPostmaster(data: string, progress: Progress): Promise<void> {
  const lockFile = join(data, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  const running = (): boolean => Number.isSafeInteger(pid) && pid > 0 && runsOn(pid, data);
  if (running()) {
    progress(`ending PostgreSQL (pid ${pid}), left over from an earlier run`);
    signalProcess(pid, 'SIGINT');
    if (await waitUntil(() => !running(), fastShutdownTimeoutMs)) return;
    signalProcess(pid, 'SIGQUIT');
    if (await waitUntil(() => !running(), immediateShutdownTimeoutMs)) return;
    throw new StartFailure(`PostgreSQL (pid ${pid}) of an earlier run does not end: end it by hand`);
  }
  rmSync(lockFile, { force: true });
}

// A postmaster works in its data directory. Elsewhere than on Linux that cannot be seen, and a living pid counts.
function runsOn(pid: number, data: string): boolean {
  if (processStartTime(pid) === undefined) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch (error) {
    // It has ended by now, or is another user's process and so not ours.
    if (['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
