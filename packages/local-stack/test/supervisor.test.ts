import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '#src/processes/free-port.ts';
import { onOtherPorts } from '#src/processes/other-ports.ts';
import { identify, isRunning } from '#src/processes/process-register.ts';
import { httpAnswersOk } from '#src/processes/probes.ts';
import { becomeReady } from '#src/processes/readiness.ts';
import type { ProcessDefinition } from '#src/processes/supervised-process.ts';
import { Supervisor } from '#src/processes/supervisor.ts';
import { StartFailure } from '#src/progress.ts';
import { temporaryHome } from '#src/stack/homes.ts';
import { StateDirectory } from '#src/state-directory.ts';

const processScript = fileURLToPath(new URL('./fixtures/service.ts', import.meta.url));
const readiness = { deadlineMs: 20_000 };

let temporary: ReturnType<typeof temporaryHome>;
let home: StateDirectory;
let supervisor: Supervisor;
let lines: string[];

beforeEach(async () => {
  temporary = temporaryHome();
  home = StateDirectory.create(temporary.path);
  lines = [];
  supervisor = await Supervisor.open(home, (line) => lines.push(line));
});

afterEach(async () => {
  await supervisor.stop();
  temporary[Symbol.dispose]();
});

async function definition(name: string, more: Partial<ProcessDefinition> = {}): Promise<ProcessDefinition> {
  const port = await freePort();
  return {
    name,
    command: process.execPath,
    args: [processScript],
    cwd: temporary.path,
    logFile: home.logFile(name),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    tier: 0,
    isReady: () => httpAnswersOk(`http://127.0.0.1:${port}/ready`),
    ...more,
    env: { INTERNAL_PORT: String(port), FIXTURE_NAME: name, FIXTURE_JOURNAL: journalFile(), ...more.env },
  };
}

function journalFile(): string {
  return join(temporary.path, 'journal');
}

function journal(): string[] {
  return readFileSync(journalFile(), 'utf8').trim().split('\n');
}

test('a killed process is started again on the same port', async () => {
  const child = await supervisor.run(await definition('service'));
  await becomeReady([child], readiness);
  const killed = child.pid;
  child.kill('SIGKILL');
  await expect.poll(() => child.restartCount).toBe(1);
  await becomeReady([child], readiness);
  expect(child.pid).not.toBe(killed);
  expect(lines).toEqual([expect.stringMatching(/^service exited \(SIGKILL\); starting it again in 200 ms/)]);
});

test('a process that keeps failing is started again at growing intervals', async () => {
  const child = await supervisor.run(await definition('broken', { args: ['-e', 'process.exit(3)'] }));
  await expect.poll(() => child.restartCount).toBeGreaterThanOrEqual(3);
  const delays = lines.map((line) => /exited \(code 3\); starting it again in (\d+) ms/.exec(line)?.[1]);
  expect(delays.slice(0, 3)).toEqual(['200', '400', '800']);
});

test('a stopped process is not started again', async () => {
  const child = await supervisor.run(await definition('service'));
  await becomeReady([child], readiness);
  await child.stop();
  expect(child.pid).toBeUndefined();
  expect([child.restartCount, lines]).toEqual([0, []]);
});

test('a stop while a failed process waits for its next start ends the waiting', async () => {
  const child = await supervisor.run(await definition('broken', { args: ['-e', 'process.exit(3)'] }));
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(1);
  await supervisor.stop();
  expect(child.pid).toBeUndefined();
});

test('the higher tier has ended before the lower one is asked to', async () => {
  const service = await supervisor.run(await definition('service', { tier: 1 }));
  const database = await supervisor.run(await definition('database', { tier: 0 }));
  await becomeReady([service, database], readiness);
  await supervisor.stop();
  expect(journal().slice(2)).toEqual([
    'service asked to stop',
    'service stopped',
    'database asked to stop',
    'database stopped',
  ]);
});

test('a process that ignores the request to stop is killed', async () => {
  const stubborn = await definition('stubborn', { stopTimeoutMs: 100, env: { FIXTURE_STUBBORN: '1' } });
  const child = await supervisor.run(stubborn);
  await becomeReady([child], readiness);
  const identity = identify(child.pid ?? 0);
  await supervisor.stop();
  expect(identity !== undefined && isRunning(identity)).toBe(false);
  expect(journal()).toContain('stubborn asked to stop');
});

test('a process that does not become ready is named with the end of its log', async () => {
  const failing = await definition('failing', { args: ['-e', 'console.log("no database"); process.exit(1)'] });
  const child = await supervisor.run(failing);
  await expect.poll(() => existsSync(home.logFile('failing')) && lines.length > 0).toBeTruthy();
  const waiting = becomeReady([child], { deadlineMs: 100 });
  await expect(waiting).rejects.toThrow(StartFailure);
  await expect(waiting).rejects.toThrow(
    /not ready after 0\.1 s: failing\n--- end of .*failing\.log\n(.*\n)*no database/,
  );
});

test('a process that exits again and again is given up before the time is up', async () => {
  const child = await supervisor.run(await definition('broken', { args: ['-e', 'process.exit(3)'] }));
  await expect(becomeReady([child], { deadlineMs: 60_000, restartsMax: 2 })).rejects.toThrow(
    /^exits again and again: broken\n/,
  );
});

test('leftovers of a killed supervisor are ended, and a pid that names another process is left alone', async () => {
  await supervisor.stop();
  const [port, otherPort] = [await freePort(), await freePort()];
  const leftover = spawn(process.execPath, [processScript], { env: { INTERNAL_PORT: String(port) } });
  const bystander = spawn(process.execPath, [processScript], { env: { INTERNAL_PORT: String(otherPort) } });
  await Promise.all([once(leftover, 'spawn'), once(bystander, 'spawn')]);
  const entry = (name: string, pid: number | undefined): unknown => {
    return { name, ...identify(pid ?? 0), stopSignal: 'SIGTERM', tier: 0 };
  };
  const reused = { ...(entry('reused', bystander.pid) as object), startTime: '1' };
  writeFileSync(home.processesFile, JSON.stringify([entry('leftover', leftover.pid), reused]));

  const ended = once(leftover, 'exit');
  supervisor = await Supervisor.open(home, (line) => lines.push(line));
  await ended;
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  expect(lines).toEqual([`ending leftover (pid ${leftover.pid}), left over from an earlier run`]);
  bystander.kill('SIGKILL');
});

test('the lock of a supervisor that has died does not keep the next one out', async () => {
  await supervisor.stop();
  writeFileSync(home.lockFile, JSON.stringify({ pid: process.pid, startTime: '1' }));
  supervisor = await Supervisor.open(home, (line) => lines.push(line));
  await expect(Supervisor.open(home, () => undefined)).rejects.toThrow(/already runs/);
});

test('what still runs on a state directory that is removed is ended, and its end fails nothing', async () => {
  const child = await supervisor.run(await definition('service'));
  await becomeReady([child], readiness);
  const identity = identify(child.pid ?? 0)!;
  temporary[Symbol.dispose]();
  await expect.poll(() => isRunning(identity)).toBe(false);
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(1);
  await supervisor.stop();
  expect(child.pid).toBeUndefined();
});

test('a start that goes on while all processes are being ended starts none', async () => {
  await supervisor.stop();
  await expect(supervisor.run(await definition('late'))).rejects.toThrow('late is not started');
});

test('a start that fails because a port was taken meanwhile is tried once more, and no other failure is', async () => {
  const failing = (...failures: readonly Error[]) => {
    const left = [...failures];
    return onOtherPorts(
      () => undefined,
      async () => {
        const failure = left.shift();
        if (failure) throw failure;
        return left.length;
      },
    );
  };
  const taken = new StartFailure(
    'not ready after 60 s: nats\nlisten tcp 127.0.0.1:20001: bind: address already in use',
  );
  expect(await failing(taken)).toBe(0);
  await expect(failing(taken, taken)).rejects.toThrow('address already in use');
  await expect(failing(new StartFailure('no such file'))).rejects.toThrow('no such file');
});
