import { benchmarks } from './benchmarks.ts';
import { readOptions, usage, type BenchCall } from './options.ts';
import { printReport } from './report/print-report.ts';
import { isMet } from './report/report.ts';

/** `npm run bench -- <name>`: see bench/README.md. Fails when an invariant is broken or, at full length, a gate missed. */
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const call = readCall(args);
  const benchmark = benchmarks.find(({ name }) => name === call?.name);
  if (!call || !benchmark) {
    const names = benchmarks.map(({ name, measures }) => `  ${name.padEnd(12)}  ${measures}`);
    process.stderr.write(`${usage}\n\nBenchmarks:\n${names.join('\n')}\n`);
    return 2;
  }
  const { options } = call;
  const report = await benchmark.run(options);
  const judged = options.quick ? { ...report, gates: [] } : report;
  process.stdout.write(`\n${benchmark.name}: ${benchmark.measures}\n\n${printReport(judged)}\n`);
  return judged.invariants.every(({ holds }) => holds) && judged.gates.every(isMet) ? 0 : 1;
}

function readCall(args: string[]): BenchCall | undefined {
  try {
    return readOptions(args, (line) => void process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n`);
    return undefined;
  }
}
