import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { startInfrastructure, temporaryHome } from '@gateway/local-stack';
import type { BenchOptions } from '../benchmark.ts';
import { agePostgres } from '../environment/environment.ts';

const ledgerScript = fileURLToPath(new URL('../../services/ledger/src/main.ts', import.meta.url));
const readyTimeoutMs = 30_000;
const portMin = 20_000;
/** From here on the system gives ports to outgoing connections (ip(7), ip_local_port_range). */
const ephemeralPortMin = 32_768;
/** Each ledger of a run has a NATS account of its own, or their streams would meet. */
const natsUsers = ['one', 'other'].map((user) => ({ user, password: 'bench' }));

/** Durable servers for ledgers and their baseline. */
export interface LedgerServers extends AsyncDisposable {
  readonly natsUrl: string;
  createDatabase(name: string): Promise<string>;
}

export async function startLedgerServers({ progress, quick }: BenchOptions): Promise<LedgerServers> {
  await using parts = new AsyncDisposableStack();
  const home = parts.use(temporaryHome());
  progress('starting PostgreSQL and NATS …');
  const { databaseUrl, natsUrl } = parts.use(
    await startInfrastructure({ home: home.path, durable: true, quiet: true, natsUsers }),
  );
  if (!quick) await agePostgres(databaseUrl);
  const owned = parts.move();
  return {
    natsUrl,
    createDatabase: (name) => createDatabase(databaseUrl, name),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
}

/** The ledger as a process of its own on an own database, and a connection for those who ask it. */
export class BenchLedger implements AsyncDisposable {
  readonly nats: NatsConnection;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  constructor(nats: NatsConnection, databaseUrl: string, natsUrl: string, args: readonly string[]) {
    this.nats = nats;
    this.databaseUrl = databaseUrl;
    this.natsUrl = natsUrl;
    this.#args = args;
  }

  async start(): Promise<void> {
    const port = portMin + Math.floor(Math.random() * (ephemeralPortMin - portMin));
    this.#child = spawn(process.execPath, this.#args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        SECRETS_KEY: Buffer.alloc(32, 'bench').toString('base64'),
        PUBLIC_URL: 'https://pay.example.com',
        // No other service runs beside it.
        LEDGER_WITNESSES: 'none',
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        DATABASE_URL: this.databaseUrl,
        NATS_URL: this.natsUrl,
        INTERNAL_PORT: String(port),
      },
    });
    const deadline = performance.now() + readyTimeoutMs;
    while (!(await isReady(port))) {
      if (this.#child.exitCode !== null || performance.now() > deadline) throw new Error('the ledger is not ready');
      await delay(50);
    }
  }

  async stop(): Promise<void> {
    if (this.#child?.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.nats.close();
  }
}

export async function startLedger(
  servers: LedgerServers,
  database: string,
  natsAccount: number,
  { profileDirectory }: BenchOptions,
): Promise<BenchLedger> {
  const { user = '', password = '' } = natsUsers[natsAccount] ?? {};
  const natsUrl = Object.assign(new URL(servers.natsUrl), { username: user, password }).href;
  const profiling = profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const databaseUrl = await servers.createDatabase(database);
  const nats = await connect({ servers: servers.natsUrl, user, pass: password });
  const ledger = new BenchLedger(nats, databaseUrl, natsUrl, [...profiling, ledgerScript]);
  await ledger.start();
  return ledger;
}

async function isReady(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/ready`).then(
    (response) => response.ok,
    () => false,
  );
}
