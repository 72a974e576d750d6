import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepCall, readCalls, requestLogFile } from '#src/calls/request-log.ts';
import { newHome } from '../support/run-cli.ts';

const callAt = (at: string, path = '/v1/account') => ({
  ...{ at, method: 'GET', path, status: 200, ms: 1, request_id: 'req_1' },
});

test('calls are logged for their owner alone and are shown for seven days; a line that a crash has cut is left out', () => {
  using home = newHome();
  const [before, since] = [callAt('2026-01-01T00:00:00.000Z'), callAt('2026-01-01T00:00:00.001Z')];
  for (const call of [before, since]) keepCall(home.variables, call);
  const file = requestLogFile(home.variables);
  writeFileSync(file, '{"at":"2026-01-0', { flag: 'a' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readCalls(home.variables, Date.parse('2026-01-08T00:00:00.000Z'))).toEqual([since]);
});

test('beyond five megabytes the older half of the log goes, and the mode stays', () => {
  using home = newHome();
  keepCall(home.variables, callAt('2026-01-01T00:00:00.000Z'));
  const file = requestLogFile(home.variables);
  const line = (nth: number) =>
    `${JSON.stringify(callAt('2026-01-02T00:00:00.000Z', `/v1/${'x'.repeat(1_000)}${nth}`))}\n`;
  writeFileSync(file, Array.from({ length: 5_000 }, (_, nth) => line(nth)).join(''), { flag: 'a' });
  const whole = statSync(file).size;
  expect(whole).toBeGreaterThan(5 * 1_024 * 1_024);
  keepCall(home.variables, callAt('2026-01-03T00:00:00.000Z', '/v1/last'));
  expect(Math.abs(statSync(file).size - whole / 2)).toBeLessThan(10_000);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const paths = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((each) => (JSON.parse(each) as { path: string }).path);
  expect([paths.at(-2)?.endsWith('x4999'), paths.at(-1)]).toEqual([true, '/v1/last']);
});

test('a log that cannot be written costs its line, and never the call', () => {
  using home = newHome();
  const file = requestLogFile(home.variables);
  keepCall(home.variables, callAt('2026-01-01T00:00:00.000Z'));
  rmSync(file);
  mkdirSync(file);
  expect(() => keepCall(home.variables, callAt('2026-01-01T00:00:00.000Z'))).not.toThrow();
});
