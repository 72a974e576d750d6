import { setTimeout as delay } from 'node:timers/promises';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { payStep, plainCreationStep } from '../deposits/full-flow.ts';
import { createMerchants } from '../environment/merchants.ts';
import { startLoadGenerator } from '../load/load.ts';
import { processTree, startCpuMeter, untilQuiet, type CpuUse } from '../machine/cpu.ts';
import type { CpuCost, Gate, Report } from '../report/report.ts';
import { laterServices } from './later-services.ts';

const bytesPerMb = 1_000_000;
const restMs = 60_000;
const restQuickMs = 5_000;
const busyMs = 20_000;
const busyQuickMs = 3_000;
const percent = 100;

/** What the product takes of a machine that has nothing to do, and what it keeps of one that had. */
export const restBenchmark: Benchmark = {
  name: 'rest',
  measures:
    'processor time of all processes over a minute without a call; memory after the start, and a minute after load',
  run: async (options) => {
    using home = temporaryHome();
    await using stack = await startStack({
      home: home.path,
      quiet: true,
      env: { NODE_ENV: 'production', LOG_LEVEL: 'warn' },
    });
    const forMs = options.quick ? restQuickMs : restMs;
    await untilQuiet();
    const started = memory();
    options.progress(`resting for ${forMs / 1_000} s …`);
    const atRest = await used(forMs);
    const afterRest = memory();
    await keepBusy(stack, options);
    options.progress(`resting for ${forMs / 1_000} s …`);
    const afterLoad = await used(forMs);
    return reportOf({ started, afterRest, kept: memory(), atRest, afterLoad });
  },
};

interface Found {
  readonly started: Memory;
  readonly afterRest: Memory;
  readonly kept: Memory;
  readonly atRest: CpuUse;
  readonly afterLoad: CpuUse;
}

function reportOf({ started, afterRest, kept, atRest, afterLoad }: Found): Report {
  return {
    figures: [],
    costs: [costOf('a second of rest after the start', atRest), costOf('a second of rest after load', afterLoad)],
    gates: [
      { what: 'processor time at rest, of one core', value: shareOf(atRest), unit: '%', atMost: 2 },
      { what: 'processor time at rest after load, of one core', value: shareOf(afterLoad), unit: '%', atMost: 2 },
      ...memoryGates('after the start', started, { firstMb: 600, laterMb: 90 }),
      ...memoryGates('after load and rest', kept, { firstMb: 750, laterMb: 112 }),
    ],
    invariants: [
      { what: 'every service runs', holds: kept.services === started.services, found: `${kept.services} services` },
    ],
    notes: [
      `after the start: ${describe(started)}`,
      `after rest: ${describe(afterRest)}`,
      `after load and rest: ${describe(kept)}`,
      `resident, shared pages counted in every service: ${Math.round(started.residentMb)} MB after the start, ${Math.round(kept.residentMb)} MB after load and rest`,
    ],
  };
}

/** One bound for the first seven services together, and one for each that came since; load and rest may leave a quarter more. */
function memoryGates(when: string, { servicesMb, byProcess }: Memory, { firstMb, laterMb }: MemoryBounds): Gate[] {
  const later = laterServices.map((name) => [name, byProcess[name] ?? 0] as const);
  const firstsMb = later.reduce((rest, [, mb]) => rest - mb, servicesMb);
  return [
    { what: `the first seven services ${when}, shared pages once`, value: firstsMb, unit: 'MB', atMost: firstMb },
    ...later.map(([name, mb]) => ({ what: `${name} ${when}`, value: mb, unit: 'MB' as const, atMost: laterMb })),
  ];
}

interface MemoryBounds {
  readonly firstMb: number;
  readonly laterMb: number;
}

async function used(forMs: number): Promise<CpuUse> {
  const meter = startCpuMeter();
  await delay(forMs);
  return meter();
}

/** Of one core, in percent; what measures is not counted. */
function shareOf({ byProcess, elapsedMs }: CpuUse): number {
  const productMs = Object.entries(byProcess)
    .filter(([name]) => !notOurs.has(name))
    .reduce((sum, [, ms]) => sum + ms, 0);
  return (productMs / elapsedMs) * percent;
}

const notOurs: ReadonlySet<string> = new Set(['bench', 'load generator']);

function costOf(what: string, { byProcess, elapsedMs }: CpuUse): CpuCost {
  const entries = Object.entries(byProcess).filter(([name]) => !notOurs.has(name));
  const perSecondUs = entries.map(([name, ms]) => [name, (ms / elapsedMs) * 1e6] as const);
  return { what, perAnswerUs: Object.fromEntries(perSecondUs) };
}

/** Charges that are paid, as fast as they go. */
async function keepBusy(stack: Stack, { quick, connections, progress }: BenchOptions): Promise<void> {
  using load = startLoadGenerator();
  const merchants = await createMerchants(stack, 4);
  progress('under load …');
  const { answered } = await load.run({
    name: 'rest',
    origin: stack.baseUrl,
    steps: [plainCreationStep, payStep],
    callers: merchants.map(({ headers }) => headers),
    pace: { kind: 'closed', connections, durationMs: quick ? busyQuickMs : busyMs },
  });
  progress(`${answered} deposits were created and paid`);
  await untilQuiet();
}

interface Memory {
  readonly services: number;
  /** With each page that several of them have counted once: that of Node's own program is in all of them. */
  readonly servicesMb: number;
  readonly residentMb: number;
  readonly byProcess: Readonly<Record<string, number>>;
}

function memory(): Memory {
  const processes = processTree()
    .filter(({ name }) => !notOurs.has(name))
    .map((process) => ({ ...process, ...process.memory() }));
  const services = processes.filter(({ isService }) => isService);
  const byProcess: Record<string, number> = {};
  for (const { name, ownBytes } of processes) byProcess[name] = (byProcess[name] ?? 0) + ownBytes / bytesPerMb;
  return {
    services: services.length,
    servicesMb: services.reduce((sum, { ownBytes }) => sum + ownBytes / bytesPerMb, 0),
    residentMb: services.reduce((sum, { residentBytes }) => sum + residentBytes / bytesPerMb, 0),
    byProcess,
  };
}

function describe({ byProcess }: Memory): string {
  return Object.entries(byProcess)
    .map(([name, mb]) => `${name} ${Math.round(mb)} MB`)
    .join(', ');
}
