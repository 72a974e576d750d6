import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  answersHold,
  figuresOf,
  machineNotes,
  measureInTurns,
  p99Of,
  rateOf,
  ratioOf,
  type Subject,
} from '../compare.ts';
import { plainCreationStep } from '../deposits/full-flow.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchant, createMerchants, type Merchant } from '../environment/merchants.ts';
import { startLoadGenerator, type LoadGenerator, type LoadResult } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import type { Report } from '../report/report.ts';

const busyConnections = 20;
const otherPerSecond = 5;
const otherConnections = 8;
const ratioMax = 2;

/** A merchant's few calls, alone and beside an account that keeps 20 connections busy at its rate limit. */
export const fairnessBenchmark: Benchmark = {
  name: 'fairness',
  measures: 'one account at 5 calls a second, beside another at its rate limit on 20 connections, against alone',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    using busyLoad = startLoadGenerator();
    const busy = await createMerchant(environment.stack, 'Busy merchant', { mode: 'test' });
    const [other] = await createMerchants(environment.stack, 1);
    if (!other) throw new Error('no merchant was created');
    return await measure(environment, { busy, other, busyLoad }, options);
  },
};

interface Callers {
  /** With the rate limit of a new account. */
  readonly busy: Merchant;
  readonly other: Merchant;
  readonly busyLoad: LoadGenerator;
}

async function measure(environment: Environment, callers: Callers, options: BenchOptions): Promise<Report> {
  const accepted: number[] = [];
  const refused: number[] = [];
  const alone: Subject = {
    what: `one account at ${otherPerSecond}/s, alone`,
    load: (name, durationMs) => fewCalls(environment, callers, name, durationMs),
  };
  const beside: Subject = {
    what: `the same beside another at its limit × ${busyConnections} connections`,
    load: async (name, durationMs) => {
      const busy = keepBusy(environment, callers, name, durationMs);
      const result = await fewCalls(environment, callers, name, durationMs);
      const theirs = await busy;
      accepted.push(rateOf(theirs));
      refused.push(((theirs.failures['429'] ?? 0) * 1_000) / theirs.elapsedMs);
      return result;
    },
  };
  const measurements = await measureInTurns('calls', [alone, beside], options);
  const [first, second] = measurements;
  const ratio = ratioOf(second?.rounds ?? [], first?.rounds ?? [], p99Of);
  return {
    figures: figuresOf(measurements),
    gates: [{ what: "the other account's p99 over alone", value: ratio, unit: '×', atMost: ratioMax }],
    invariants: answersHold(measurements),
    notes: [
      ...machineNotes(measurements).slice(0, 1),
      `the busy account: ${Math.round(median(accepted))} accepted and ${Math.round(median(refused))} refused (429) a second`,
    ],
  };
}

async function fewCalls({ load, stack }: Environment, { other }: Callers, name: string, durationMs: number) {
  return await load.run({
    name,
    origin: stack.baseUrl,
    steps: [plainCreationStep],
    callers: [other.headers],
    pace: { kind: 'open', connections: otherConnections, durationMs, ratePerSecond: otherPerSecond },
  });
}

async function keepBusy(
  { stack }: Environment,
  { busy, busyLoad }: Callers,
  name: string,
  durationMs: number,
): Promise<LoadResult> {
  return await busyLoad.run({
    name: `busy-${name}`,
    origin: stack.baseUrl,
    steps: [plainCreationStep],
    callers: [busy.headers],
    pace: { kind: 'closed', connections: busyConnections, durationMs },
  });
}
