import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { startInfrastructure, temporaryHome } from '@gateway/local-stack';
import type { BenchOptions } from '../benchmark.ts';

const ledgerScript = fileURLToPath(new URL('../../services/ledger/src/main.ts', import.meta.url));
const readyTimeoutMs = 30_000;

/** The ledger as a process of its own, alone with durable servers, and a database for its baseline beside it. */
export interface LedgerStage extends AsyncDisposable {
  readonly nats: NatsConnection;
  readonly ledgerDatabaseUrl: string;
  readonly baselineDatabaseUrl: string;
}

export async function startLedgerStage({ profileDirectory, progress }: BenchOptions): Promise<LedgerStage> {
  await using parts = new AsyncDisposableStack();
  const home = parts.use(temporaryHome());
  progress('starting the ledger and its baseline …');
  const servers = parts.use(await startInfrastructure({ home: home.path, durable: true, quiet: true }));
  const [ledgerDatabaseUrl, baselineDatabaseUrl] = await createDatabases(servers.databaseUrl, 'ledger', 'row_lock');
  const profiling = profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  parts.use(await startProcess([...profiling, ledgerScript], ledgerDatabaseUrl, servers.natsUrl));
  const nats = parts.adopt(await connect({ servers: servers.natsUrl }), async (open) => await open.close());
  const owned = parts.move();
  return { nats, ledgerDatabaseUrl, baselineDatabaseUrl, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function createDatabases(adminUrl: string, ...names: [string, string]): Promise<[string, string]> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  for (const name of names) await admin.query(`create database ${name}`);
  await admin.end();
  const urlOf = (name: string) => Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  return [urlOf(names[0]), urlOf(names[1])];
}

async function startProcess(args: string[], databaseUrl: string, natsUrl: string): Promise<AsyncDisposable> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      INTERNAL_PORT: String(port),
    },
  });
  const exited = once(child, 'exit');
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('the ledger did not become ready');
    await delay(50);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/ready`).then(
    (response) => response.ok,
    () => false,
  );
}
