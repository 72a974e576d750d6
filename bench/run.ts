import { writeFileSync } from 'node:fs';
import { type Benchmark, argsOf, readOptions, usage, type BenchCall } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';
import { changesOf, comparisonText, readResults } from './report/comparison.ts';
import { gatesText, keepResult, reportText } from './report/performance-page.ts';
import { isAsPromised, type Result } from './report/report.ts';
import { runSuite } from './report/run-suite.ts';

/**
 * `npm run bench`, `npm run bench -- <name>`: see bench/README.md. Fails when an invariant is broken or, at full
 * length, a gate missed.
 */
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const call = readCall(args);
  const chosen = call && chosenBenchmarks(call.names);
  if (!call || !chosen) {
    const names = benchmarks.map(({ name, measures }) => `  ${name.padEnd(16)}  ${measures}`);
    process.stderr.write(`${usage}\n\nBenchmarks:\n${names.join('\n')}\n`);
    return 2;
  }
  const [only, ...others] = chosen;
  if (only && others.length === 0 && !call.write && !call.compareFile) return await runHere(only, call);
  return await runEach(chosen, call);
}

/** One benchmark in this process. */
async function runHere(benchmark: Benchmark, { options, reportFile }: BenchCall): Promise<number> {
  const report = await benchmark.run(options);
  if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify(report));
  const gates = options.quick || report.gates.length === 0 ? '' : `\n${gatesText(report.gates)}\n`;
  process.stdout.write(`\n${benchmark.name}: ${benchmark.measures}\n\n${reportText(report)}\n${gates}`);
  return isAsPromised(report, options.quick) ? 0 : 1;
}

/** Several, each in a process of its own. */
async function runEach(chosen: readonly Benchmark[], { options, write, compareFile }: BenchCall): Promise<number> {
  const order = benchmarks.map(({ name }) => name);
  const earlier = compareFile === undefined ? [] : readResults(compareFile);
  const worse: string[] = [];
  const asPromised = await runSuite({
    benchmarks: chosen,
    options,
    args: argsOf(options),
    keep: async (result) => {
      if (write) await keepResult(result, order);
      const before = earlier.find(({ name }) => name === result.name);
      if (before && compare(before, result)) worse.push(result.name);
    },
  });
  return asPromised && worse.length === 0 ? 0 : 1;
}

/** Prints what became of a benchmark's figures. @returns whether one is worse */
function compare(before: Result, now: Result): boolean {
  process.stdout.write(`\n${now.name} since ${before.circumstances.measuredAt}\n\n${comparisonText(before, now)}\n\n`);
  return (
    !now.report || (before.report !== undefined && changesOf(before.report, now.report).some((each) => each.isWorse))
  );
}

/** All of them when none is named; undefined when one is unknown. */
function chosenBenchmarks(names: readonly string[]): readonly Benchmark[] | undefined {
  if (names.length === 0) return benchmarks;
  const chosen = benchmarks.filter(({ name }) => names.includes(name));
  return chosen.length === names.length ? chosen : undefined;
}

function readCall(args: string[]): BenchCall | undefined {
  try {
    return readOptions(args, (line) => void process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n`);
    return undefined;
  }
}
