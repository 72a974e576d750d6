import type { BenchOptions } from '../benchmark.ts';
import { startCpuMeter } from '../machine/cpu-meter.ts';
import { untilQuiet } from '../machine/until-quiet.ts';
import type { Contender, Contest, Round } from './contender.ts';

/**
 * Measures the contenders in rounds, A B, B A, A B …, so that what happens to the machine happens to all of them, and
 * none is always the one that comes after another.
 */
export async function takeTurns(
  label: string,
  contenders: readonly Contender[],
  { rounds, seconds, warmupSeconds, progress }: BenchOptions,
): Promise<Contest[]> {
  const all: Round[][] = contenders.map(() => []);
  for (let index = 0; index <= rounds; index++) {
    const order = contenders.map((contender, position) => ({ contender, position }));
    if (index % 2 === 1) order.reverse();
    for (const { contender, position } of order) {
      const durationMs = (index === 0 ? warmupSeconds : seconds) * 1_000;
      const round = await measure(contender, `${label}-${index}-${position}`, durationMs);
      all[position]?.push(round);
      progress(progressLine(index, contender, round));
    }
  }
  return contenders.map((contender, position) => contestOf(contender, all[position] ?? []));
}

async function measure(contender: Contender, label: string, durationMs: number): Promise<Round> {
  const used = startCpuMeter();
  const result = await contender.load(label, durationMs);
  const afterwardsMs = await untilQuiet();
  return { result, afterwardsMs, cpu: used() };
}

function contestOf(contender: Contender, rounds: readonly Round[]): Contest {
  const failures: Record<string, number> = {};
  for (const { result } of rounds) {
    for (const [code, count] of Object.entries(result.failures)) failures[code] = (failures[code] ?? 0) + count;
  }
  const answered = rounds.reduce((sum, { result }) => sum + result.answered, 0);
  return { contender, rounds: rounds.slice(1), answered, failures };
}

function progressLine(index: number, { what }: Contender, { result, cpu, afterwardsMs }: Round): string {
  const rate = Math.round((result.answered * 1_000) / result.elapsedMs);
  const failed = Object.values(result.failures).reduce((sum, count) => sum + count, 0);
  const others = (cpu.othersMs / cpu.elapsedMs).toFixed(1);
  const name = index === 0 ? 'warm-up' : `round ${index}`;
  return `${name}: ${what}: ${rate}/s, ${failed} failed, busy for ${Math.round(afterwardsMs)} ms afterwards, others on ${others} cores`;
}
