import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { creationStep, payStep } from '../deposits/full-flow.ts';
import { startWebhookReceiver } from '../deposits/webhook-receiver.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, registerWebhook, type Merchant } from '../environment/merchants.ts';
import type { LoadResult, LoadStep } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import { startCpuMeter, untilQuiet, type CpuUse } from '../machine/cpu.ts';
import type { CpuCost, Report } from '../report/report.ts';
import { caughtUp, count, readAnew, role, settled } from './reading.ts';

const connections = 32;
const merchantCount = 8;
/** What runs for the first time costs many times as much. */
const warmupTimes = 4;
const warmupReadings = 6;
/** Lengths of one round, in those of `--seconds`. */
const withoutTimes = 2;
const besideTimes = 2;
const restMs = 10_000;
const restQuickMs = 3_000;
const percent = 100;

/** What it costs that every paid deposit is matched line by line, over what the deposit costs otherwise. */
export const reconcilerCostBenchmark: Benchmark = {
  name: 'reconciler',
  measures: 'processor time of the reconciler per paid deposit of test mode, with what others spend on answering it',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    await using receiver = await startWebhookReceiver();
    const merchants = await createMerchants(environment.stack, merchantCount);
    for (const merchant of merchants) {
      await registerWebhook(environment.stack, merchant, { url: receiver.url, events: ['deposit.paid'] });
    }
    return await measure({ environment, merchants }, options);
  },
};

interface Parties {
  readonly environment: Environment;
  readonly merchants: readonly Merchant[];
}

interface Round {
  /** The reconciler stands still. */
  readonly without: PerDeposit;
  /** The same, charges only. */
  readonly creation: PerDeposit;
  /** It reads all of them once more: whatever is used is used for it. */
  readonly catchingUp: PerDeposit;
  /** It reads while deposits are paid; only what it and its connections use. */
  readonly beside: PerDeposit;
}

/** Microseconds of each process per deposit, what it uses at rest left out. */
interface PerDeposit {
  readonly byProcess: Readonly<Record<string, number>>;
  readonly ofRole: number;
  readonly deposits: number;
}

async function measure(parties: Parties, options: BenchOptions): Promise<Report> {
  const { stack } = parties.environment;
  await pay(parties, 'warm-up', warmupTimes * options.warmupSeconds * 1_000);
  await settled(options);
  for (let time = 1; time <= warmupReadings; time++) {
    await readAnew(stack, options);
    options.progress(`read ${time} times …`);
  }
  await untilQuiet();
  const resting = await used(options.quick ? restQuickMs : restMs);
  const rounds: Round[] = [];
  for (let index = 1; index <= options.rounds; index++) {
    const round = await measureRound(parties, { index, resting }, options);
    rounds.push(round);
    options.progress(
      `round ${index}: ${Math.round(sumOf(round.without))} µs without it, ${costOf(round).toFixed(1)} for it: ${describe(round.catchingUp)}`,
    );
  }
  const matched = await count(stack.databaseUrls[role], `select count(*) from match where state = 'matched'`);
  const waiting = await count(stack.databaseUrls[role], `select count(*) from match where state <> 'matched'`);
  const share = median(rounds.map((round) => (costOf(round) / sumOf(round.without)) * percent));
  return {
    figures: [],
    costs: [
      costs('a paid deposit, reconciler stopped', rounds, ({ without }) => without),
      costs('a charge alone, reconciler stopped', rounds, ({ creation }) => creation),
      costs('explaining a paid deposit, all processes, reading anew', rounds, ({ catchingUp }) => catchingUp),
      costs('explaining a paid deposit, its own', rounds, ({ beside }) => beside),
    ],
    gates: [{ what: 'reconciler, of the processor time of a paid deposit', value: share, unit: '%', atMost: 8 }],
    invariants: [
      {
        what: 'all deposits are explained',
        holds: waiting === 0 && matched > 0,
        found: `${matched} matches, ${waiting} not explained`,
      },
    ],
    notes: [
      `median of ${rounds.length} rounds: ${median(rounds.map(costOf)).toFixed(1)} µs, of which ${median(rounds.map(({ catchingUp }) => othersOf(catchingUp))).toFixed(1)} are what others spend on answering it`,
    ],
  };
}

async function measureRound(
  parties: Parties,
  { index, resting }: { readonly index: number; readonly resting: CpuUse },
  options: BenchOptions,
): Promise<Round> {
  const { stack } = parties.environment;
  const reconciler = stack.process('reconciler');
  const durationMs = options.seconds * 1_000;
  reconciler.kill('SIGSTOP');
  let meter = startCpuMeter();
  const frozen = await pay(parties, `without-${index}`, withoutTimes * durationMs);
  await untilQuiet();
  const without = perDeposit(meter(), resting, frozen.answered);
  meter = startCpuMeter();
  const charged = await charge(parties, `charges-${index}`, durationMs);
  await untilQuiet();
  const creation = perDeposit(meter(), resting, charged.answered);
  reconciler.kill('SIGCONT');
  await caughtUp(stack, options);
  await settled(options);
  meter = startCpuMeter();
  const read = await readAnew(stack, options);
  await untilQuiet();
  const catchingUp = perDeposit(meter(), resting, read);
  meter = startCpuMeter();
  const paid = await pay(parties, `beside-${index}`, besideTimes * durationMs);
  await caughtUp(stack, options);
  await untilQuiet();
  const { byProcess, ofRole } = perDeposit(meter(), resting, paid.answered);
  const own = { reconciler: byProcess['reconciler'] ?? Number.NaN, postgres: ofRole };
  return { without, creation, catchingUp, beside: { byProcess: own, ofRole, deposits: paid.answered } };
}

async function pay(parties: Parties, name: string, durationMs: number): Promise<LoadResult> {
  return await load(parties, { name, steps: [creationStep, payStep], durationMs });
}

async function charge(parties: Parties, name: string, durationMs: number): Promise<LoadResult> {
  return await load(parties, { name, steps: [creationStep], durationMs });
}

async function load(
  { environment, merchants }: Parties,
  {
    name,
    steps,
    durationMs,
  }: { readonly name: string; readonly steps: readonly LoadStep[]; readonly durationMs: number },
): Promise<LoadResult> {
  return await environment.load.run({
    ...{ name, steps, origin: environment.stack.baseUrl },
    callers: merchants.map(({ headers }) => headers),
    pace: { kind: 'closed', connections, durationMs },
  });
}

async function used(forMs: number): Promise<CpuUse> {
  const meter = startCpuMeter();
  await delay(forMs);
  return meter();
}

const notOurs: ReadonlySet<string> = new Set(['bench', 'load generator', 'baseline', 'other']);

function perDeposit(use: CpuUse, resting: CpuUse, deposits: number): PerDeposit {
  const share = use.elapsedMs / resting.elapsedMs;
  const names = Object.keys(use.byProcess).filter((name) => !notOurs.has(name));
  const us = (ms: number, atRestMs: number) => ((ms - atRestMs * share) * 1_000) / deposits;
  return {
    byProcess: Object.fromEntries(
      names.map((name) => [name, us(use.byProcess[name] ?? 0, resting.byProcess[name] ?? 0)]),
    ),
    ofRole: us(use.byRole[role] ?? 0, resting.byRole[role] ?? 0),
    deposits,
  };
}

function sumOf({ byProcess }: PerDeposit): number {
  return Object.values(byProcess).reduce((sum, us) => sum + us, 0);
}

/** What others spend on answering it: all that is used while it catches up, without its own. */
function othersOf(catchingUp: PerDeposit): number {
  return sumOf(catchingUp) - (catchingUp.byProcess['reconciler'] ?? 0) - catchingUp.ofRole;
}

function costOf({ beside, catchingUp }: Round): number {
  return sumOf(beside) + othersOf(catchingUp);
}

function costs(what: string, rounds: readonly Round[], of: (round: Round) => PerDeposit): CpuCost {
  const names = [...new Set(rounds.flatMap((round) => Object.keys(of(round).byProcess)))];
  return {
    what,
    perAnswerUs: Object.fromEntries(
      names.map((name) => [name, median(rounds.map((round) => of(round).byProcess[name] ?? 0))]),
    ),
  };
}

function describe({ byProcess, ofRole }: PerDeposit): string {
  const parts = Object.entries(byProcess).map(([name, us]) => `${name} ${us.toFixed(1)}`);
  return `${parts.join(', ')}, its own connections ${ofRole.toFixed(1)}`;
}
