import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkBoundaries } from './checks/boundaries.ts';
import { checkCitations } from './checks/citations.ts';
import { checkDeadCode } from './checks/dead-code.ts';
import { checkDependencies } from './checks/dependencies.ts';
import { complaintsOf } from './checks/run-node.ts';
import { checkSecrets } from './checks/secrets.ts';
import { checkSupplyChain } from './checks/supply-chain.ts';

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

interface Check {
  readonly name: string;
  /** One line per complaint; none means the check passed. */
  readonly complaints: () => Promise<string[]>;
}

const checks: readonly Check[] = [
  {
    name: 'format',
    complaints: () => complaintsOf('node_modules/.bin/prettier', ['--check', '--log-level', 'warn', '.']),
  },
  {
    name: 'types',
    complaints: () => complaintsOf('node_modules/.bin/tsc', ['-b', 'tsconfig.build.json', '--pretty', 'false']),
  },
  { name: 'lint', complaints: () => complaintsOf('scripts/lint.ts') },
  { name: 'boundaries', complaints: checkBoundaries },
  { name: 'dead code', complaints: checkDeadCode },
  { name: 'generated files', complaints: () => complaintsOf('scripts/generate.ts', ['--check']) },
  { name: 'citations', complaints: checkCitations },
  { name: 'dependencies', complaints: checkDependencies },
  { name: 'supply chain', complaints: checkSupplyChain },
  { name: 'secrets', complaints: checkSecrets },
];

/** Checks that run at a time: each keeps about one core busy, and the smallest machine in use has two. */
const concurrencyAlone = 2;

/** Runs every check of the source and prints each result as it comes, with the complaints of one that fails. */
export async function runChecks(
  print: (line: string) => void = console.log,
  concurrency = concurrencyAlone,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const waiting = checks.entries();
  const worker = async (): Promise<void> => {
    for (const [index, check] of waiting) {
      results[index] = await runCheck(check, print);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

async function runCheck({ name, complaints }: Check, print: (line: string) => void): Promise<CheckResult> {
  const startedAt = performance.now();
  const found = await complaints().catch((error: unknown) => [String(error)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const ok = found.length === 0;
  print(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s`);
  for (const complaint of found) print(`       ${complaint}`);
  return { name, ok, seconds };
}

/**
 * `npm run check [-- --results=<file>] [--one-by-one]`: ends with 1 when a check fails; the file gets the results as JSON. One by
 * one they leave a core to what runs beside them.
 */
if (import.meta.main) {
  const { values } = parseArgs({ options: { results: { type: 'string' }, 'one-by-one': { type: 'boolean' } } });
  const results = await runChecks(console.log, values['one-by-one'] === true ? 1 : concurrencyAlone);
  if (values.results !== undefined) await writeFile(values.results, JSON.stringify(results));
  const failed = results.filter(({ ok }) => !ok);
  console.log(`${results.length - failed.length} of ${results.length} checks passed`);
  if (failed.length > 0) process.exitCode = 1;
}
