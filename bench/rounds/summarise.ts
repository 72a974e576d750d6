import { median } from '../load/percentile.ts';
import type { CpuCost, Figures, Invariant } from '../report/report.ts';
import type { Contest, Round } from './contender.ts';

/** Medians over the rounds, and each contender's ratio to its baseline, round by round. */
export function figuresOf(contests: readonly Contest[]): Figures[] {
  return contests.map(({ contender, rounds }) => {
    const baseline = contender.against === undefined ? undefined : contests[contender.against];
    const figures = {
      what: contender.what,
      ratePerSecond: median(rounds.map(rateOf)),
      p50Ms: median(rounds.map(({ result }) => result.p50Ms)),
      p99Ms: median(rounds.map(({ result }) => result.p99Ms)),
    };
    return baseline ? { ...figures, ratio: ratioOf(rounds, baseline.rounds) } : figures;
  });
}

/** CPU time per answer, what was done after the answers included. */
export function costsOf(contests: readonly Contest[]): CpuCost[] {
  return contests.map(({ contender, rounds }) => {
    const answered = rounds.reduce((sum, { result }) => sum + result.answered, 0);
    const processes = new Set(rounds.flatMap(({ cpu }) => Object.keys(cpu.byProcess)));
    processes.delete('bench');
    const perAnswerUs = [...processes].map((name) => {
      const usedMs = rounds.reduce((sum, { cpu }) => sum + (cpu.byProcess[name] ?? 0), 0);
      return [name, (usedMs * 1_000) / answered] as const;
    });
    return { what: contender.what, perAnswerUs: Object.fromEntries(perAnswerUs) };
  });
}

/** Every call got the answer it should get. */
export function answersHold(contests: readonly Contest[]): Invariant[] {
  return contests.map(({ contender, answered, failures }) => {
    const other = Object.entries(failures).map(([code, count]) => `, ${count} × ${code}`);
    return {
      what: `${contender.what}: every call answered as it should be`,
      holds: other.length === 0 && answered > 0,
      found: `${answered} answered${other.join('')}`,
    };
  });
}

/** What a reader has to know about the machine. */
export function machineNotes(contests: readonly Contest[]): string[] {
  const rounds = contests.flatMap((contest) => contest.rounds);
  const elapsedMs = rounds.reduce((sum, { cpu }) => sum + cpu.elapsedMs, 0);
  const othersMs = rounds.reduce((sum, { cpu }) => sum + cpu.othersMs, 0);
  const afterwards = contests.map(({ contender, rounds: own }) => {
    const answered = own.reduce((sum, { result }) => sum + result.answered, 0);
    const workedMs = own.reduce((sum, { result, afterwardsMs }) => sum + result.elapsedMs + afterwardsMs, 0);
    return `${contender.what}: ${Math.round((answered * 1_000) / workedMs)}/s when the work after the answers is counted`;
  });
  return [`other processes of this machine used ${(othersMs / elapsedMs).toFixed(2)} cores meanwhile`, ...afterwards];
}

function ratioOf(rounds: readonly Round[], baseline: readonly Round[]): number {
  return median(
    rounds.map((round, index) => {
      const other = baseline[index];
      return other ? rateOf(round) / rateOf(other) : Number.NaN;
    }),
  );
}

function rateOf({ result }: Round): number {
  return (result.answered * 1_000) / result.elapsedMs;
}
