import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { takeLock } from '#src/processes/home-lock.ts';
import { becomeReady } from '#src/processes/readiness.ts';
import type { ProcessDefinition, SupervisedProcess } from '#src/processes/supervised-process.ts';
import { repository, writePrivate, type StateDirectory } from '#src/state-directory.ts';

const clusters = join(repository, '.gateway/tools/clusters');
/** All that decides what is in a database before its service has run. */
const sources = [
  'services/*/{src/,}migrations/**/*.ts',
  'packages/{persistence,messaging}/src/**/*.ts',
  'packages/local-stack/src/{infrastructure,stack}/*.ts',
  'package-lock.json',
];
const readyDeadlineMs = 180_000;
const migrateTimeoutMs = 300_000;

// Every service reaches its database, with which its migrations have run, before anything else: there it ends.
const migrateAll = `
const [runtime, ...mains] = process.argv.slice(1);
const { serviceOf } = await import(runtime + '/run/run.ts');
const { separateEnvironments } = await import(runtime + '/run/environments.ts');
const { createLogger } = await import(runtime + '/telemetry/logger.ts');
const { ServiceScope } = await import(runtime + '/telemetry/service-scope.ts');
const reached = new Error('the database is reached');
const readiness = { add: () => { throw reached; } };
const { signal } = new AbortController();
const services = [];
for (const main of mains) {
  const scope = new ServiceScope();
  services.push({ ...(await scope.run(() => serviceOf(main))), scope });
}
const environments = separateEnvironments(services.map(({ name }) => name), process.env);
for (const { name, start, scope } of services) {
  const context = { name, env: environments.get(name), logger: createLogger(name, 'error'), readiness, signal };
  const ending = await scope.run(() => start(context)).then(() => 'it has no database', (error) => error);
  if (ending !== reached) throw new Error(name + ' was not migrated: ' + ending);
}
process.exit(0);
`;

/**
 * Lets the stack of a test begin with a copy of a cluster in which every migration has run, where there is one: as many
 * files are copied as `create database` would copy, and none of the statements is run again.
 *
 * @returns false where the stack will make a cluster of its own
 */
export async function beginWithMigratedCluster(home: StateDirectory): Promise<boolean> {
  const cluster = placeOf();
  const directory = join(home.path, 'postgres');
  if (existsSync(join(directory, 'data'))) return true;
  if (!existsSync(cluster)) return false;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unfinished = join(directory, 'data.unfinished');
  await copy(join(cluster, 'data'), unfinished);
  home.keepPostgresPassword(JSON.parse(readFileSync(join(cluster, 'password.json'), 'utf8')) as string);
  renameSync(unfinished, join(directory, 'data'));
  return true;
}

/**
 * Migrates the databases of a stack, and keeps its cluster for those that begin later, unless one is kept already: before any
 * service has written to it. The server is stopped for the time of copying.
 */
export async function keepMigratedCluster(
  home: StateDirectory,
  server: SupervisedProcess,
  services: readonly ProcessDefinition[],
): Promise<void> {
  for (const service of services) await migrate(service);
  const cluster = placeOf();
  mkdirSync(clusters, { recursive: true, mode: 0o711 });
  if (existsSync(cluster)) return;
  const lock = takeLock(`${cluster}.lock`);
  // Another stack is keeping its own.
  if (typeof lock !== 'function') return;
  const draft = mkdtempSync(join(clusters, 'draft-'));
  try {
    await server.stop();
    await copy(join(home.path, 'postgres/data'), join(draft, 'data'));
    writePrivate(join(draft, 'password.json'), home.secrets().postgresPassword);
    for (const name of readdirSync(clusters).filter((each) => /^[0-9a-f]+$/.test(each)))
      rmSync(join(clusters, name), { recursive: true, force: true });
    renameSync(draft, cluster);
  } finally {
    await server.start();
    await becomeReady([server], { deadlineMs: readyDeadlineMs });
    rmSync(draft, { recursive: true, force: true });
    lock();
  }
}

/** Partitions are made for the day. */
function placeOf(): string {
  const files = globSync(sources, { cwd: repository }).sort();
  const digests = files.map((file) => `${file} ${hash('sha256', readFileSync(join(repository, file)))}`);
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  return join(clusters, hash('sha256', [day, ...digests].join('\n')).slice(0, 16));
}

async function migrate({ command, args, env, cwd }: ProcessDefinition): Promise<void> {
  const mains = args.filter((arg) => arg.endsWith('/src/main.ts'));
  const script = ['--input-type=module', '--eval', migrateAll, join(repository, 'packages/runtime/src'), ...mains];
  await promisify(execFile)(command, script, { env, cwd, timeout: migrateTimeoutMs });
}

/** With owners and modes: the server refuses a directory that others may read. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}
