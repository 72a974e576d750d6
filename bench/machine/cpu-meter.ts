import { monotonicMs } from '../load/monotonic-clock.ts';
import { machineCpuMs, processTree } from './process-tree.ts';

/** What happened to the CPUs between two moments. */
export interface CpuUse {
  readonly elapsedMs: number;
  /** CPU time by process of ours. */
  readonly byProcess: Readonly<Record<string, number>>;
  /** CPU time of everything that is not ours. */
  readonly othersMs: number;
}

/** Starts to measure; the function it returns tells what was used since. */
export function startCpuMeter(): () => CpuUse {
  const before = snapshot();
  return () => {
    const after = snapshot();
    const names = Object.keys(after.byProcess);
    const used = names.map((name) => [name, (after.byProcess[name] ?? 0) - (before.byProcess[name] ?? 0)] as const);
    const ours = used.reduce((sum, [, ms]) => sum + ms, 0);
    return {
      elapsedMs: after.atMs - before.atMs,
      byProcess: Object.fromEntries(used),
      othersMs: Math.max(0, after.machineMs - before.machineMs - ours),
    };
  };
}

function snapshot() {
  const byProcess: Record<string, number> = {};
  for (const { name, cpuMs } of processTree()) byProcess[name] = (byProcess[name] ?? 0) + cpuMs;
  return { atMs: monotonicMs(), byProcess, machineMs: machineCpuMs() };
}
