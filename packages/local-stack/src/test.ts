import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests, runStep, type Counts } from '#src/testing/run-step.ts';
import { prepareTestPrograms } from '#src/testing/test-programs.ts';
import { repository } from '#src/state-directory.ts';

// `npm test`: the check, then every test; `npm test -- <filter>`: the tests that match. The last line is the sum.
const filters = process.argv.slice(2);
const check = join(repository, 'scripts/check.ts');

const steps: Counts[] = [];
if (filters.length === 0 && existsSync(check)) {
  process.stdout.write('checking types, style, boundaries and generated files …\n');
  const [exitCode] = await Promise.all([runStep([check]), prepareTestPrograms()]);
  const passed = exitCode === 0;
  steps.push({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });
}
process.stdout.write('running the tests …\n');
steps.push(await runTests());

const passed = steps.reduce((sum, step) => sum + step.passed, 0);
const failed = steps.reduce((sum, step) => sum + step.failed, 0);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);

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
