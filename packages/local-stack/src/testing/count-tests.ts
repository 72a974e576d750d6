import { existsSync, readFileSync } from 'node:fs';

import { z } from 'zod';

export interface Counts {
  passed: number;
  failed: number;
}

const resultsSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/**
 * Sums up vitest's JSON report. A file that failed without a failed test (it could not be loaded, a hook threw) counts
 * as one failure, and so does a run that failed for any other reason.
 *
 * @param exitCode vitest's own verdict.
 */
export function countTests(reportFile: string, exitCode: number): Counts {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1 };
  const report = resultsSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
