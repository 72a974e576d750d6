import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startInfrastructure } from '#src/infrastructure/start-infrastructure.ts';
import { isRunning, type ProcessIdentity } from '#src/processes/process-register.ts';
import { StartFailure } from '#src/progress.ts';
import { temporaryHome } from '#src/stack/homes.ts';

let home: ReturnType<typeof temporaryHome>;

beforeEach(() => {
  home = temporaryHome();
});

afterEach(() => {
  home[Symbol.dispose]();
});

function recordedProcesses(): ProcessIdentity[] {
  return JSON.parse(readFileSync(join(home.path, 'run/pids.json'), 'utf8')) as ProcessIdentity[];
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What the broker answers to a client with these credentials, up to its decision. */
async function greetBroker(url: string, credentials: object): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, ...credentials })}\r\nPING\r\n`);
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (/PONG|-ERR/.test(answer)) break;
  }
  return answer;
}

function start(): ReturnType<typeof startInfrastructure> {
  return startInfrastructure({ home: home.path, durable: false, quiet: true });
}

test('the broker is behind a password; a stop leaves no process, and the next start finds the data', async () => {
  const first = await start();
  await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const { password } = new URL(first.natsUrl);
  expect(await greetBroker(first.natsUrl, { user: 'gateway', pass: password })).toContain('PONG');
  expect(await greetBroker(first.natsUrl, { user: 'gateway', pass: 'guessed' })).toContain('Authorization Violation');
  expect(await greetBroker(first.natsUrl, {})).toContain('Authorization Violation');
  const processes = recordedProcesses();
  expect(processes.map(isRunning)).toEqual([true, true]);

  await first.stop();
  expect(processes.map(isRunning)).toEqual([false, false]);
  expect(existsSync(join(home.path, 'run/pids.json'))).toBe(false);

  await using second = await start();
  expect(await query(second.databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('the database is reached by a socket of the kernel, and over TCP below a directory with a longer name than those may have', async () => {
  const address = 'SELECT inet_server_addr() AS address';
  const kept = await start();
  expect(await query(kept.databaseUrl, address)).toEqual([{ address: null }]);
  await kept.stop();
  const deep = join(home.path, 'deep'.repeat(20));
  await using infrastructure = await startInfrastructure({ home: deep, durable: false, quiet: true });
  expect(await query(infrastructure.databaseUrl, address)).toEqual([{ address: '127.0.0.1' }]);
});

test('nobody connects to the database without its password', async () => {
  await using infrastructure = await start();
  const url = new URL(infrastructure.databaseUrl);
  url.password = 'guess';
  await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(join(home.path, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('a second start on the same state directory is refused and disturbs nothing', async () => {
  await using first = await start();
  await expect(start()).rejects.toThrow(StartFailure);
  await expect(start()).rejects.toThrow(/already runs on .*GATEWAY_HOME/);
  expect(await query(first.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('the servers of a killed run are ended by the next start, which finds the data', async () => {
  const script = fileURLToPath(new URL('./fixtures/run-infrastructure.ts', import.meta.url));
  const killed = spawn(process.execPath, [script, home.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(killed.stdout, 'data');
  const left = recordedProcesses();
  const ended = once(killed, 'exit');
  killed.kill('SIGKILL');
  await ended;
  expect(left.map(isRunning)).toEqual([true, true]);

  await using next = await start();
  expect(left.map(isRunning)).toEqual([false, false]);
  expect(await query(next.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
