import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installSdk } from '@gateway/local-stack';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  answersHold,
  costsOf,
  figuresOf,
  machineNotes,
  measureInTurns,
  type Measurement,
  type Subject,
} from '../compare.ts';
import type { Report } from '../report/report.ts';
import { startCaller, startEmptyServer } from './calling.ts';
import { measureStarts, type Starts } from './starts.ts';

const starts = 60;
const startsQuick = 5;
/** As many calls at the same time as a busy shop has; more of them only wait for the one core. */
const connections = 16;
const importMsMax = 5;
const callsPerCoreMin = 5_000;

/** What the TypeScript SDK costs the program that uses it, as it is packed. */
export const sdkBenchmark: Benchmark = {
  name: 'sdk',
  measures:
    'the packed TypeScript SDK: what its import adds to the start of a program; calls per second of processor time against an empty server',
  run: async (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-benchmark-'));
    try {
      const { project } = await installSdk(folder);
      return await measure(project, options);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(project: string, options: BenchOptions): Promise<Report> {
  const started = measureStarts(project, options.quick ? startsQuick : starts);
  options.progress(`the import adds ${started.addedMs.client.toFixed(1)} ms`);
  const calls = await measureCalls(join(project, 'node_modules/@gateway/sdk/dist/index.js'), options);
  const costs = costsOf(calls);
  const spentUs = costs.at(-1)?.perAnswerUs['caller'] ?? Number.NaN;
  return {
    figures: [...started.figures, ...figuresOf(calls)],
    costs,
    gates: [
      { what: 'import of @gateway/sdk', value: started.addedMs.client, unit: 'ms', atMost: importMsMax },
      { what: 'import of @gateway/sdk/webhooks', value: started.addedMs.webhooks, unit: 'ms', atMost: importMsMax },
      { what: 'calls of the SDK, of one core', value: 1e6 / spentUs, unit: '/s', atLeast: callsPerCoreMin },
    ],
    invariants: answersHold(calls),
    notes: [
      `processor time that an import adds: ${describe(started.addedCpuMs)}; wall time: ${describe(started.addedMs)}`,
      ...machineNotes(calls),
    ],
  };
}

function describe({ client, webhooks }: Starts['addedMs']): string {
  return `client ${client.toFixed(1)} ms, webhooks ${webhooks.toFixed(1)} ms`;
}

async function measureCalls(module: string, options: BenchOptions): Promise<Measurement[]> {
  using server = startEmptyServer();
  using caller = startCaller();
  const origin = await server.run({});
  const load = (by: 'sdk' | 'fetch') => (_: string, durationMs: number) =>
    caller.run({ by, module, origin, connections, durationMs });
  const subjects: readonly Subject[] = [
    { what: 'deposits by fetch alone', load: load('fetch') },
    { what: 'deposits by the SDK', load: load('sdk'), against: 0 },
  ];
  return await measureInTurns('sdk', subjects, options);
}
