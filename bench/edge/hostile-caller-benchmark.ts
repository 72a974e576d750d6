import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  type Subject,
  type Measurement,
  answersHold,
  figuresOf,
  machineNotes,
  measureInTurns,
  p99Of,
  ratioOf,
} from '../compare.ts';
import { plainCreationStep } from '../deposits/full-flow.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, type Merchant } from '../environment/merchants.ts';
import { startLoadGenerator, type LoadGenerator, type LoadResult } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import type { Gate, Report } from '../report/report.ts';
import { listAttacks, type Attack } from './attacks.ts';

const attackersConnections = 200;
const merchantsConnections = 32;
/** Far below what two cores carry: what the merchant waits for is then the attacker's doing. */
const merchantsCallsPerSecond = 50;
const ratioMax = 5;

/** A merchant's ordinary calls, alone and beside one caller who keeps 200 connections busy with what anybody may ask. */
export const hostileCallerBenchmark: Benchmark = {
  name: 'hostile-caller',
  measures: "a merchant's calls beside one caller without a key at 200 connections, against the same calls without him",
  run: async (options) => {
    // Each round's attacker comes from an address of its own, so that none finds a limit the last one has spent.
    await using environment = await startEnvironment(options, { TRUSTED_PROXIES: '127.0.0.1' });
    using attackers = startLoadGenerator();
    const [merchant] = await createMerchants(environment.stack, 1);
    if (!merchant) throw new Error('no merchant was created');
    return await measure(environment, { merchant, attackers }, options);
  },
};

interface Callers {
  readonly merchant: Merchant;
  readonly attackers: LoadGenerator;
}

async function measure(environment: Environment, callers: Callers, options: BenchOptions): Promise<Report> {
  const attacks = await listAttacks(environment, callers.merchant);
  const refused = new Map<string, number[]>();
  const subjects: Subject[] = [
    { what: 'alone', load: (label, durationMs) => ordinaryCalls(environment, callers, label, durationMs) },
    ...attacks.map((attack) => ({
      what: attack.what,
      load: async (label: string, durationMs: number) => {
        const attacking = attackWith(environment, callers, attack, durationMs);
        const result = await ordinaryCalls(environment, callers, label, durationMs);
        const { answered, failures, elapsedMs } = await attacking;
        const answers = Object.values(failures).reduce((sum, count) => sum + count, answered);
        refused.set(attack.what, [...(refused.get(attack.what) ?? []), (answers * 1_000) / elapsedMs]);
        return result;
      },
    })),
  ];
  const measurements = await measureInTurns('calls', subjects, options);
  return {
    figures: figuresOf(measurements),
    gates: gatesOf(measurements),
    invariants: answersHold(measurements),
    notes: [
      ...machineNotes(measurements).slice(0, 1),
      `a call of the merchant is a deposit created and read, ${merchantsCallsPerSecond}/s in an open loop; the rows name what the other caller asks for meanwhile`,
      ...[...refused].map(([what, rates]) => `${what}: ${Math.round(median(rates))} answers/s to the other caller`),
    ],
  };
}

async function ordinaryCalls({ load, stack }: Environment, { merchant }: Callers, name: string, durationMs: number) {
  return await load.run({
    name,
    origin: stack.baseUrl,
    steps: [plainCreationStep, { method: 'GET', path: '/v1/deposits/{id}', expect: 200 }],
    callers: [merchant.headers],
    pace: {
      kind: 'open',
      connections: merchantsConnections,
      durationMs,
      ratePerSecond: merchantsCallsPerSecond,
    },
  });
}

let addresses = 0;

async function attackWith(
  { stack }: Environment,
  { attackers }: Callers,
  { what, step, callers }: Attack,
  durationMs: number,
): Promise<LoadResult> {
  addresses += 1;
  const forwarded = { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` };
  return await attackers.run({
    name: what,
    origin: stack.baseUrl,
    steps: [step],
    callers: callers.map((headers) => ({ ...headers, ...forwarded })),
    pace: { kind: 'closed', connections: attackersConnections, durationMs },
  });
}

function gatesOf([alone, ...attacked]: readonly Measurement[]): Gate[] {
  return attacked.map(({ subject, rounds }) => ({
    what: `a merchant's p99 beside ${subject.what}, over alone`,
    value: ratioOf(rounds, alone?.rounds ?? [], p99Of),
    unit: '×',
    atMost: ratioMax,
  }));
}
