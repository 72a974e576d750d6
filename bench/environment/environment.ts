import { Client } from 'pg';
import { startInfrastructure, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { startBaseline, type Baseline } from '../baseline/start-baseline.ts';
import type { BenchOptions } from '../benchmark.ts';
import { startLoadGenerator, type LoadGenerator } from '../load/load.ts';
import { untilQuiet } from '../machine/cpu.ts';

/** The product and its baseline on one durable PostgreSQL, and who puts them under load. */
export interface Environment extends AsyncDisposable {
  readonly stack: Stack;
  readonly baseline: Baseline;
  readonly load: LoadGenerator;
}

/** Starts everything on loopback, services with `env`; disposing of the environment ends it and removes its data. */
export async function startEnvironment(
  { profileDirectory, progress, quick }: BenchOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<Environment> {
  await using parts = new AsyncDisposableStack();
  const infrastructureHome = parts.use(temporaryHome());
  const stackHome = parts.use(temporaryHome());
  progress('starting the product and its baseline …');
  const servers = parts.use(await startInfrastructure({ home: infrastructureHome.path, durable: true, quiet: true }));
  if (!quick) await agePostgres(servers.databaseUrl);
  const profiling = ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`].join(' ');
  const stack = parts.use(
    await startStack({
      home: stackHome.path,
      databaseUrl: servers.databaseUrl,
      natsUrl: servers.natsUrl,
      durable: true,
      quiet: true,
      env: {
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        ...env,
        ...(profileDirectory === undefined ? {} : { NODE_OPTIONS: profiling }),
      },
    }),
  );
  const baseline = parts.use(
    await startBaseline({ databaseUrl: servers.databaseUrl, simulatorUrl: stack.simulatorUrl }),
  );
  const load = parts.use(startLoadGenerator());
  await untilQuiet();
  const owned = parts.move();
  return { stack, baseline, load, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** So that a turn of the log is a turn, and not skipped because nothing was written since the last one. */
const writeSomething = `select pg_logical_emit_message(false, 'bench', '')`;

/**
 * Brings a new server to where one is that has run for a while and keeps its log files (`min_wal_size`): it writes into
 * files it has written before. A new one has to create each, fill it with zeros and sync it in the middle of a
 * commit, until it has `max_wal_size` of them. The subject that writes most in the first minute pays most of that.
 */
export async function agePostgres(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ files: number }>(
      `select (pg_size_bytes(current_setting('max_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')))::int
         as files`,
    );
    for (let file = 0; file < (rows[0]?.files ?? 0); file++) {
      await client.query(writeSomething);
      await client.query('select pg_switch_wal()');
    }
    // Files that are no longer needed are given new names here, for what will be written next.
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
