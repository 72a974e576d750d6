import { depositResourceSchema } from '@gateway/public-api';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { costOf, mediansOf, rateOf } from '../compare.ts';
import { plainCreationStep } from '../deposits/full-flow.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, readList, type Merchant, type Mode } from '../environment/merchants.ts';
import { monotonicMs, startLoadGenerator, type LoadGenerator, type LoadResult, type Pace } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import { startCpuMeter, untilQuiet, type CpuUse } from '../machine/cpu.ts';
import type { CpuCost, Report } from '../report/report.ts';

const times = 3;
/** A client opens connections instead of waiting for one; more of them than this the generator itself would feel. */
const overloadConnections = 1_000;
const probesPerSecond = 20;
const probeConnections = 32;
/** For how long the probe goes on when the overload has ended. */
const afterwardsMs = 5_000;
/** Of the probe's own p99 alone: what is slower is not back to normal. */
const normalTimes = 2;

/** What happens to calls when three times as many come as can be answered, and afterwards. */
export const overloadBenchmark = overloadOf('test');

/** The same with a call to the provider in each that is accepted. */
export const liveOverloadBenchmark = overloadOf('live');

function overloadOf(mode: Mode): Benchmark {
  const [name, what] =
    mode === 'live' ? ['overload-live', 'live POST /v1/deposits'] : ['overload', 'POST /v1/deposits'];
  return {
    name,
    measures: `${what} at three times the rate that a closed loop reaches, in an open loop, against that rate`,
    run: async (options) => {
      await using environment = await startEnvironment(options);
      using probes = startLoadGenerator();
      const [merchant, probing] = await createMerchants(environment.stack, 2, mode);
      if (!merchant || !probing) throw new Error('the merchants were not created');
      return await measure({ environment, merchant, probing, probes }, options);
    },
  };
}

interface Parties {
  readonly environment: Environment;
  readonly merchant: Merchant;
  /** Calls now and then, as if nothing were the matter. */
  readonly probing: Merchant;
  readonly probes: LoadGenerator;
}

interface Round {
  readonly best: LoadResult;
  readonly overload: LoadResult;
  readonly recoveryMs: number;
  /** While each of both lasted. */
  readonly bestUse: CpuUse;
  readonly overloadUse: CpuUse;
}

async function measure(parties: Parties, options: BenchOptions): Promise<Report> {
  const durationMs = options.seconds * 1_000;
  const closed: Pace = { kind: 'closed', connections: options.connections, durationMs };
  const warmUp = await creations(parties, 'warm-up', { ...closed, durationMs: options.warmupSeconds * 1_000 });
  // Its first turn warms it up and is not counted, as everywhere.
  const crowd = await creations(parties, 'warm-up-crowd', openAt(times * rateOf(warmUp), durationMs));
  await untilQuiet();
  const alone = await probe(parties, 'alone', durationMs);
  const rounds: Round[] = [];
  for (let index = 1; index <= options.rounds; index++) {
    const ofBest = startCpuMeter();
    const best = await creations(parties, `best-${index}`, closed);
    const bestUse = ofBest();
    await untilQuiet();
    const probing = probe(parties, `probe-${index}`, durationMs + afterwardsMs);
    const endsAtMs = monotonicMs() + durationMs;
    const pace = openAt(times * rateOf(best), durationMs);
    const ofOverload = startCpuMeter();
    const overload = await creations(parties, `overload-${index}`, pace);
    const overloadUse = ofOverload();
    const recoveryMs = recoveryOf(await probing, alone, endsAtMs);
    await untilQuiet();
    rounds.push({ best, overload, recoveryMs, bestUse, overloadUse });
    options.progress(
      `round ${index}: ${Math.round(rateOf(best))}/s at best, ${Math.round(rateOf(overload))}/s accepted of ${pace.ratePerSecond}/s`,
    );
  }
  return await reportOf(parties, [warmUp, crowd, ...rounds.flatMap(({ best, overload }) => [best, overload])], rounds);
}

function openAt(perSecond: number, durationMs: number) {
  return { kind: 'open', connections: overloadConnections, durationMs, ratePerSecond: Math.round(perSecond) } as const;
}

async function creations({ environment, merchant }: Parties, name: string, pace: Pace): Promise<LoadResult> {
  const { load, stack } = environment;
  return await load.run({ name, origin: stack.baseUrl, steps: [plainCreationStep], callers: [merchant.headers], pace });
}

async function probe({ environment, probing, probes }: Parties, name: string, durationMs: number): Promise<LoadResult> {
  return await probes.run({
    name,
    origin: environment.stack.baseUrl,
    steps: [plainCreationStep],
    callers: [probing.headers],
    pace: { kind: 'open', connections: probeConnections, durationMs, ratePerSecond: probesPerSecond },
    listUnits: true,
  });
}

/** From the end of the overload to the last call of the probe that failed or took longer than it should. */
function recoveryOf({ units, lastFailureAtMs = 0 }: LoadResult, alone: LoadResult, endsAtMs: number): number {
  const normalMs = normalTimes * alone.p99Ms;
  const slow = units.filter(({ startedAtMs, answeredAtMs }) => answeredAtMs - startedAtMs > normalMs);
  const lastSlowMs = slow.reduce((latest, { startedAtMs }) => Math.max(latest, startedAtMs), lastFailureAtMs);
  return Math.max(0, lastSlowMs - endsAtMs);
}

async function reportOf(
  { environment, merchant }: Parties,
  all: readonly LoadResult[],
  rounds: readonly Round[],
): Promise<Report> {
  const refusals = rounds.flatMap(({ overload }) => overload.refused ?? []);
  const refused = refusals.reduce((sum, { count }) => sum + count, 0);
  const withRetryAfter = refusals.reduce((sum, each) => sum + each.withRetryAfter, 0);
  const others = rounds.flatMap(({ overload }) => Object.entries(overload.failures)).filter(([code]) => code !== '503');
  const answered = all.reduce((sum, result) => sum + result.answered, 0);
  const records = new Set<string>();
  for await (const { id } of readList(environment.stack, merchant, '/v1/deposits', depositResourceSchema))
    records.add(id);
  const ratios = rounds.map(({ best, overload }) => rateOf(overload) / rateOf(best));
  const p99Ms = median(rounds.map(({ overload }) => overload.p99Ms));
  const recoveryMs = median(rounds.map((round) => round.recoveryMs));
  return {
    figures: [
      mediansOf(
        'closed loop',
        rounds.map(({ best }) => best),
      ),
      {
        ...mediansOf(
          `open loop at ${times} × that rate, accepted`,
          rounds.map(({ overload }) => overload),
        ),
        ratio: median(ratios),
      },
    ],
    costs: costsOf(rounds, refused),
    gates: [
      {
        what: `accepted at ${times} × the best rate, over the best rate`,
        value: median(ratios),
        unit: '×',
        atLeast: 0.9,
      },
      { what: 'p99 of what is accepted', value: p99Ms, unit: 'ms', atMost: 500 },
      { what: 'p99 of a refusal', value: median(refusals.map(({ p99Ms: ms }) => ms)), unit: 'ms', atMost: 50 },
      { what: 'back to normal after', value: recoveryMs / 1_000, unit: 's', atMost: 2 },
    ],
    invariants: [
      {
        what: 'every refusal says when to try again',
        holds: withRetryAfter === refused,
        found: `${withRetryAfter} of ${refused}`,
      },
      {
        what: 'every call was accepted or refused with 503',
        holds: others.length === 0,
        found: others.map(([code, count]) => `${count} × ${code}`).join(', ') || 'no other answer',
      },
      {
        what: 'nothing accepted was lost',
        holds: records.size >= answered,
        found: `${records.size} deposits for ${answered} answers`,
      },
    ],
    notes: [
      `${refused} calls were refused; latencies of what was accepted count from when a call was due, those of refusals from when it was sent`,
      `the generator has ${overloadConnections} connections: a call that finds none free waits for one`,
      `the generators alone took ${generatorCores(rounds.map(({ bestUse }) => bestUse))} cores in the closed loop and ${generatorCores(rounds.map(({ overloadUse }) => overloadUse))} in the overload`,
    ],
  };
}

/** Of the overload per call, whether it was accepted or refused: what a call costs that comes when it is too much. */
function costsOf(rounds: readonly Round[], refused: number): CpuCost[] {
  const accepted = (of: 'best' | 'overload') => rounds.reduce((sum, round) => sum + round[of].answered, 0);
  const [best, overload] = [rounds.map(({ bestUse }) => bestUse), rounds.map(({ overloadUse }) => overloadUse)];
  return [
    costOf('closed loop', best, accepted('best')),
    costOf(`open loop at ${times} × that rate, per call`, overload, accepted('overload') + refused),
    costOf('the same, per accepted call', overload, accepted('overload')),
  ];
}

function generatorCores(uses: readonly CpuUse[]): string {
  return median(uses.map(({ byProcess, elapsedMs }) => (byProcess['load generator'] ?? 0) / elapsedMs)).toFixed(2);
}
