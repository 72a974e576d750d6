import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import type { BenchOptions } from '../benchmark.ts';
import type { Circumstances } from '../report/result.ts';

const bytesPerGib = 1_024 ** 3;

/** What a reader has to know of the machine and the run to compare figures with their own. */
export function circumstancesOf({ seconds, rounds, connections, quick }: BenchOptions, now: Date): Circumstances {
  const all = cpus();
  const memoryGib = Math.round(totalmem() / bytesPerGib);
  return {
    measuredAt: now.toISOString(),
    machine: `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${memoryGib} GiB, Linux ${release()}`,
    software: `Node ${process.versions.node}, ${versionOf('nats-server')}`,
    seconds,
    rounds,
    connections,
    quick,
  };
}

function versionOf(command: string): string {
  try {
    return execFileSync(command, ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    return command;
  }
}
