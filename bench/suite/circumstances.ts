import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { natsBinary } from '@gateway/local-stack';
import type { BenchOptions } from '../benchmark.ts';
import type { Circumstances } from '../report/result.ts';

const bytesPerGib = 1_024 ** 3;

/** What a reader has to know of the machine and the run to compare figures with their own. */
export async function circumstancesOf(options: BenchOptions, now: Date): Promise<Circumstances> {
  const nats = execFileSync(await natsBinary(() => undefined), ['--version'], { encoding: 'utf8' }).trim();
  const { seconds, rounds, connections, quick } = options;
  const all = cpus();
  const memoryGib = Math.round(totalmem() / bytesPerGib);
  return {
    measuredAt: now.toISOString(),
    machine: `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${memoryGib} GiB, Linux ${release()}`,
    software: `Node ${process.versions.node}, ${nats}`,
    seconds,
    rounds,
    connections,
    quick,
  };
}
