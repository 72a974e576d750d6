import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countTests } from '#src/testing/run-step.ts';

let directory: string;
let report: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'count-tests-'));
  report = join(directory, 'results.json');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function write(numPassedTests: number, numFailedTests: number, files: [status: string, ...tests: string[]][]): void {
  const testResults = files.map(([status, ...outcomes]) => {
    return { status, assertionResults: outcomes.map((outcome) => ({ status: outcome })) };
  });
  writeFileSync(report, JSON.stringify({ numPassedTests, numFailedTests, testResults }));
}

test('passed and failed tests are counted', () => {
  write(2, 1, [
    ['passed', 'passed'],
    ['failed', 'passed', 'failed'],
  ]);
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1 });
});

test('a file that could not be loaded counts as a failure', () => {
  write(1, 0, [['passed', 'passed'], ['failed']]);
  expect(countTests(report, 1)).toEqual({ passed: 1, failed: 1 });
});

test('a run that failed beside its tests counts as a failure', () => {
  write(1, 0, [['passed', 'passed']]);
  expect(countTests(report, 1)).toEqual({ passed: 1, failed: 1 });
  expect(countTests(report, 0)).toEqual({ passed: 1, failed: 0 });
});

test('a run that left no report counts as a failure', () => {
  expect(countTests(report, 0)).toEqual({ passed: 0, failed: 1 });
});
