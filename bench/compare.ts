import type { BenchOptions } from './benchmark.ts';
import type { LoadGenerator, LoadResult, LoadStep } from './load/load.ts';
import { median } from './load/percentile.ts';
import { type CpuUse, startCpuMeter, untilQuiet } from './machine/cpu.ts';
import type { CpuCost, Figures, Invariant } from './report/report.ts';

/** Something that is measured, in turn with the others. */
export interface Subject {
  readonly what: string;
  /** Index of the subject it is compared with; undefined for a baseline. */
  readonly against?: number;
  /** Puts it under load. `label` is unique in the run. */
  load(label: string, durationMs: number): Promise<LoadResult>;
}

export interface ClosedLoop {
  readonly origin: string;
  readonly caller: Readonly<Record<string, string>>;
  readonly step: LoadStep;
  readonly connections: number;
}

/** The same call on each connection, one after the other. */
export function closedLoop(
  { load }: { readonly load: LoadGenerator },
  what: string,
  { origin, caller, step, connections }: ClosedLoop,
): Subject {
  return {
    what,
    load: (name, durationMs) =>
      load.run({
        ...{ name, origin, steps: [step], callers: [caller] },
        pace: { kind: 'closed', connections, durationMs },
      }),
  };
}

export interface Round {
  readonly result: LoadResult;
  /** Until it was quiet again. */
  readonly cpu: CpuUse;
  /** How long it worked on after the last answer. */
  readonly afterwardsMs: number;
}

export interface Measurement {
  readonly subject: Subject;
  readonly rounds: readonly Round[];
  /** Answered as expected in all rounds, the one for warming up included. */
  readonly answered: number;
  /** All other outcomes, by status or error code. */
  readonly failures: Readonly<Record<string, number>>;
}

/**
 * Measures the subjects in rounds, A B, B A, A B …, so that what happens to the machine happens to all of them, and
 * none is always the one that comes after another.
 */
export async function measureInTurns(
  label: string,
  subjects: readonly Subject[],
  { rounds, seconds, warmupSeconds, progress }: BenchOptions,
): Promise<Measurement[]> {
  const all: Round[][] = subjects.map(() => []);
  for (let index = 0; index <= rounds; index++) {
    const order = subjects.map((subject, position) => ({ subject, position }));
    if (index % 2 === 1) order.reverse();
    for (const { subject, position } of order) {
      const durationMs = (index === 0 ? warmupSeconds : seconds) * 1_000;
      const round = await measure(subject, `${label}-${index}-${position}`, durationMs);
      all[position]?.push(round);
      progress(progressLine(index, subject, round));
    }
  }
  return subjects.map((subject, position) => measurementOf(subject, all[position] ?? []));
}

async function measure(subject: Subject, label: string, durationMs: number): Promise<Round> {
  const used = startCpuMeter();
  const result = await subject.load(label, durationMs);
  const afterwardsMs = await untilQuiet();
  return { result, afterwardsMs, cpu: used() };
}

function measurementOf(subject: Subject, rounds: readonly Round[]): Measurement {
  const failures: Record<string, number> = {};
  for (const { result } of rounds) {
    for (const [code, count] of Object.entries(result.failures)) failures[code] = (failures[code] ?? 0) + count;
  }
  const answered = rounds.reduce((sum, { result }) => sum + result.answered, 0);
  return { subject, rounds: rounds.slice(1), answered, failures };
}

function progressLine(index: number, { what }: Subject, { result, cpu, afterwardsMs }: Round): string {
  const rate = Math.round(rateOf(result));
  const failed = Object.values(result.failures).reduce((sum, count) => sum + count, 0);
  const others = (cpu.othersMs / cpu.elapsedMs).toFixed(1);
  const name = index === 0 ? 'warm-up' : `round ${index}`;
  return `${name}: ${what}: ${rate}/s, ${failed} failed, busy for ${Math.round(afterwardsMs)} ms afterwards, others on ${others} cores`;
}

/** Medians over the rounds, and each subject's ratio to its baseline, round by round. */
export function figuresOf(measurements: readonly Measurement[]): Figures[] {
  return measurements.map(({ subject, rounds }) => {
    const baseline = subject.against === undefined ? undefined : measurements[subject.against];
    const figures = mediansOf(
      subject.what,
      rounds.map(({ result }) => result),
    );
    return baseline ? { ...figures, ratio: ratioOf(rounds, baseline.rounds, rateOf) } : figures;
  });
}

export function mediansOf(what: string, results: readonly LoadResult[]): Figures {
  return {
    what,
    ratePerSecond: median(results.map(rateOf)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  };
}

/** CPU time per answer, what was done after the answers included. */
export function costsOf(measurements: readonly Measurement[]): CpuCost[] {
  return measurements.map(({ subject, rounds }) => {
    const answered = rounds.reduce((sum, { result }) => sum + result.answered, 0);
    return costOf(
      subject.what,
      rounds.map(({ cpu }) => cpu),
      answered,
    );
  });
}

/** What some spans of time took of each process, over the answers of all of them. */
export function costOf(what: string, spans: readonly CpuUse[], answers: number): CpuCost {
  const processes = new Set(spans.flatMap(({ byProcess }) => Object.keys(byProcess)));
  processes.delete('bench');
  const perAnswerUs = [...processes].map((name) => {
    const usedMs = spans.reduce((sum, { byProcess }) => sum + (byProcess[name] ?? 0), 0);
    return [name, (usedMs * 1_000) / answers] as const;
  });
  return { what, perAnswerUs: Object.fromEntries(perAnswerUs) };
}

/** Every call got the answer it should get. */
export function answersHold(measurements: readonly Measurement[]): Invariant[] {
  return measurements.map(({ subject, answered, failures }) => {
    const other = Object.entries(failures).map(([code, count]) => `, ${count} × ${code}`);
    return {
      what: `${subject.what}: every call answered as it should be`,
      holds: other.length === 0 && answered > 0,
      found: `${answered} answered${other.join('')}`,
    };
  });
}

/** What a reader has to know about the machine. */
export function machineNotes(measurements: readonly Measurement[]): string[] {
  const rounds = measurements.flatMap((measurement) => measurement.rounds);
  const elapsedMs = rounds.reduce((sum, { cpu }) => sum + cpu.elapsedMs, 0);
  const othersMs = rounds.reduce((sum, { cpu }) => sum + cpu.othersMs, 0);
  const afterwards = measurements.map(({ subject, rounds: own }) => {
    const answered = own.reduce((sum, { result }) => sum + result.answered, 0);
    const workedMs = own.reduce((sum, { result, afterwardsMs }) => sum + result.elapsedMs + afterwardsMs, 0);
    return `${subject.what}: ${Math.round((answered * 1_000) / workedMs)}/s when the work after the answers is counted`;
  });
  return [`other processes of this machine used ${(othersMs / elapsedMs).toFixed(2)} cores meanwhile`, ...afterwards];
}

/** Of one figure: round by round over the other's round, then the median. */
export function ratioOf(
  rounds: readonly Round[],
  others: readonly Round[],
  figureOf: (result: LoadResult) => number,
): number {
  return median(
    rounds.map(({ result }, index) => {
      const other = others[index];
      return other ? figureOf(result) / figureOf(other.result) : Number.NaN;
    }),
  );
}

export function p99Of({ p99Ms }: LoadResult): number {
  return p99Ms;
}

/** Answered units of work in a second. */
export function rateOf({ answered, elapsedMs }: LoadResult): number {
  return (answered * 1_000) / elapsedMs;
}
