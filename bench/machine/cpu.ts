import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs } from '../load/load.ts';

/** What happened to the CPUs between two moments. */
export interface CpuUse {
  readonly elapsedMs: number;
  /** CPU time by process of ours. */
  readonly byProcess: Readonly<Record<string, number>>;
  /** Of PostgreSQL's, what the connections of a role used that are still there. */
  readonly byRole: Readonly<Record<string, number>>;
  /** CPU time of everything that is not ours. */
  readonly othersMs: number;
}

/** Starts to measure; the function it returns answers what was used since. */
export function startCpuMeter(): () => CpuUse {
  const before = snapshot();
  return () => {
    const after = snapshot();
    const byProcess = differences(before.byProcess, after.byProcess);
    const ours = Object.values(byProcess).reduce((sum, ms) => sum + ms, 0);
    return {
      elapsedMs: after.atMs - before.atMs,
      byProcess,
      byRole: differences(before.byRole, after.byRole),
      othersMs: Math.max(0, after.machineMs - before.machineMs - ours),
    };
  };
}

function snapshot() {
  const byProcess: Record<string, number> = {};
  const byRole: Record<string, number> = {};
  for (const { name, role, cpuMs } of processTree()) {
    byProcess[name] = (byProcess[name] ?? 0) + cpuMs;
    if (role !== undefined) byRole[role] = (byRole[role] ?? 0) + cpuMs;
  }
  return { atMs: monotonicMs(), byProcess, byRole, machineMs: machineCpuMs() };
}

function differences(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
}

/** What a process of ours has used. */
export interface ProcessUse {
  /** What it is: a service's name, `postgres`, `nats`, or a part of the benchmark. */
  readonly name: string;
  /** A service, not a server or a part of the benchmark. */
  readonly isService: boolean;
  /** Whose connection it serves, where it is one of PostgreSQL's that do. */
  readonly role?: string | undefined;
  readonly cpuMs: number;
  /** Read when it is asked for, since the kernel visits every page for it. */
  readonly memory: () => ProcessMemory;
}

export interface ProcessMemory {
  readonly residentBytes: number;
  /** The same, with each page that several processes have counted once among them: what can be added up. */
  readonly ownBytes: number;
}

/** What Linux counts CPU time in, for every architecture it offers to programs. */
const msPerTick = 10;

const kinds: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'load generator', pattern: /bench\/load\/load-process/ },
  { name: 'baseline', pattern: /bench\/baseline\/baseline-process/ },
  { name: 'receivers', pattern: /bench\/webhooks\/receivers-process/ },
  { name: 'bare sender', pattern: /bench\/webhooks\/bare-sender-process/ },
  { name: 'caller', pattern: /bench\/sdk\/calling-process/ },
  { name: 'empty server', pattern: /bench\/sdk\/empty-server-process/ },
  { name: 'nats', pattern: /nats-server/ },
  { name: 'postgres', pattern: /postgres/ },
];

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

/** This process and everything it has started, directly or not. Empty where there is no /proc. */
export function processTree(): ProcessUse[] {
  const stats = allProcesses();
  const ours = new Set([process.pid]);
  for (let before = 0; before !== ours.size;) {
    before = ours.size;
    for (const { pid, parent } of stats) if (ours.has(parent)) ours.add(pid);
  }
  return stats
    .filter(({ pid }) => ours.has(pid))
    .map(({ pid, cpuMs }) => ({ ...kindOf(pid), cpuMs, memory: () => memoryOf(pid) }));
}

/** proc(5): Rss counts a page for every process that has it, Pss its share of it. */
function memoryOf(pid: number): ProcessMemory {
  const rollup = textOf(`/proc/${pid}/smaps_rollup`);
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0) * 1_024;
  return { residentBytes: bytesOf('Rss'), ownBytes: bytesOf('Pss') };
}

function allProcesses(): ProcessStat[] {
  return processIds().flatMap((pid) => {
    const stat = textOf(`/proc/${pid}/stat`);
    // The command's name, in brackets, may hold anything; the numbers follow its end (proc(5), fields 3 and up).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent, , , , , , , , , , user, system, childrenUser, childrenSystem] = fields;
    if (parent === undefined || user === undefined || system === undefined) return [];
    // Children that have ended count for their parent: PostgreSQL's backends come and go.
    const childrenMs = ((childrenUser ?? 0) + (childrenSystem ?? 0)) * msPerTick;
    return [{ pid, parent, cpuMs: (exactMs(pid) ?? (user + system) * msPerTick) + childrenMs }];
  });
}

/** The same to the nanosecond, of all threads that are there; undefined where the kernel does not count it. */
function exactMs(pid: number): number | undefined {
  const threads = namesIn(`/proc/${pid}/task`).map((thread) => textOf(`/proc/${pid}/task/${thread}/schedstat`));
  const times = threads.filter((text) => text !== '').map((text) => Number(text.split(' ')[0]) / 1e6);
  return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0);
}

function processIds(): number[] {
  return namesIn('/proc').map(Number).filter(Number.isInteger);
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function kindOf(pid: number): Pick<ProcessUse, 'name' | 'isService' | 'role'> {
  if (pid === process.pid) return { name: 'bench', isService: false };
  const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const service = /services\/([a-z-]+)\/src\/main/.exec(command)?.[1];
  if (command.includes('runtime/src/run/together')) return { name: 'gateway', isService: true };
  if (service !== undefined) return { name: service, isService: true };
  const role = /^postgres: (\w+) \w+ [\w.:\[\]]+(?:\(\d+\))? /.exec(command)?.[1];
  return { name: kinds.find(({ pattern }) => pattern.test(command))?.name ?? 'other', isService: false, role };
}

/** Empty when the process has ended in between. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** CPU time used by everybody on this machine since it started, time stolen from a virtual machine included. */
function machineCpuMs(): number {
  const [, user, nice, system, , , irq, softIrq, steal] = (textOf('/proc/stat').split('\n')[0] ?? '')
    .split(/ +/)
    .map(Number);
  return [user, nice, system, irq, softIrq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0) * msPerTick, 0);
}

const windowMs = 300;
/** Idle services poll now and then. */
const quietCores = 0.2;
const waitMaxMs = 60_000;

/**
 * Waits until what our processes were given to do is done: events published, payouts settled, webhooks delivered.
 * Otherwise one subject's rest would be carried by the next.
 *
 * @returns how long they were busy
 */
export async function untilQuiet(): Promise<number> {
  let busyMs = 0;
  while (busyMs < waitMaxMs) {
    const used = startCpuMeter();
    await delay(windowMs);
    const window = used();
    if (coresOf(window) <= quietCores) return busyMs;
    busyMs += window.elapsedMs;
  }
  return busyMs;
}

function coresOf({ byProcess, elapsedMs }: CpuUse): number {
  return Object.values(byProcess).reduce((sum, ms) => sum + ms, 0) / elapsedMs;
}
