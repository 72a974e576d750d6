import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayServices } from '#src/stack/gateway-services.ts';
import { sharedCompileCache, warmCompileCache } from '#src/stack/service-process.ts';
import { countTests, runKept, runStep, type Counts } from '#src/testing/run-step.ts';
import { prepareTestPrograms } from '#src/testing/test-programs.ts';
import { repository } from '#src/state-directory.ts';

// `npm test`: the check, and every test beside it; `npm test -- <filter>`: the tests that match. The last line is the sum.
const filters = process.argv.slice(2);
const check = join(repository, 'scripts/check.ts');

const steps = filters.length === 0 && existsSync(check) ? await everything() : [await runTests()];

const passed = steps.reduce((sum, step) => sum + step.passed, 0);
const failed = steps.reduce((sum, step) => sum + step.failed, 0);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);

/** The check keeps one core busy while tests wait for deadlines and restarts. What it found is repeated at the end. */
async function everything(): Promise<Counts[]> {
  process.stdout.write('checking types, style, boundaries and generated files, and running the tests …\n');
  const prepared = Promise.all([prepareTestPrograms(), warmCompileCache(sharedCompileCache, gatewayServices)]);
  const [found, tests] = await Promise.all([runKept([check, '--one-by-one']), prepared.then(runTests)]);
  const hasPassed = found.exitCode === 0;
  if (!hasPassed) process.stdout.write(found.output);
  return [{ passed: hasPassed ? 1 : 0, failed: hasPassed ? 0 : 1 }, tests];
}

async function runTests(): Promise<Counts> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  const results = join(directory, 'results.json');
  try {
    const exitCode = await runStep([
      join(repository, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${results}`,
      ...filters,
    ]);
    return countTests(results, exitCode);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
