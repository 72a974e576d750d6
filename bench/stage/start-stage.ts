import { startInfrastructure, startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { startBaseline, type Baseline } from '../baseline/start-baseline.ts';
import type { BenchOptions } from '../benchmark.ts';
import { startLoadGenerator, type LoadGenerator } from '../load/load-generator.ts';
import { untilQuiet } from '../machine/until-quiet.ts';
import { agePostgres } from './age-postgres.ts';

/** The product and its baseline on one durable PostgreSQL, and who puts them under load. */
export interface Stage extends AsyncDisposable {
  readonly stack: Stack;
  readonly baseline: Baseline;
  readonly load: LoadGenerator;
}

/** Starts everything on loopback, services with `env`; disposing of the stage ends it and removes its data. */
export async function startStage(
  { profileDirectory, progress, quick }: BenchOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
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
  const baseline = parts.use(await startBaseline(servers.databaseUrl));
  const load = parts.use(startLoadGenerator());
  await untilQuiet();
  const owned = parts.move();
  return { stack, baseline, load, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
