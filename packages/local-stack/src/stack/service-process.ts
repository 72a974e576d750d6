import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '#src/processes/free-port.ts';
import { httpAnswersOk } from '#src/processes/probes.ts';
import type { ProcessDefinition } from '#src/processes/supervised-process.ts';
import { databaseName, type Service, type StackAddresses } from '#src/stack/gateway-services.ts';
import { repository, type StateDirectory } from '#src/state-directory.ts';

const loopback = '127.0.0.1';
const stopTimeoutMs = 10_000;

// Seven processes share one machine: small where there is no load; a service under load names its own.
const semiSpaceMb = 2;
const mallocArenas = 1;
// With a value that is set, glibc does not raise it with every large buffer, and gives more back.
const mallocTrimBytes = 128 * 1024;

// Set by the stack for each service, or meant for the process that starts it, so never handed down.
const notInherited = new Set([
  ...[
    'HOST',
    'OPS_HOST',
    'CONSOLE_HOST',
    'INTERNAL_HOST',
    'PORT',
    'OPS_PORT',
    'CONSOLE_PORT',
    'SIMULATOR_PORT',
    'INTERNAL_PORT',
    'OPS_OPERATORS',
    'COMPAT_URL',
    'SIMULATOR_URL',
  ],
  ...[
    'DATABASE_URL',
    'NATS_URL',
    'INTERNAL_TLS_DIR',
    'NATS_TLS_FIRST',
    'SECRETS_KEY',
    'PUBLIC_URL',
    'PROVIDERS_CALLBACK_URL',
    'NODE_OPTIONS',
    'NODE_CHANNEL_FD',
    'INIT_CWD',
  ],
]);
const notInheritedPrefixes = ['npm_', 'VITEST', 'TEST_'];

export interface ServiceEnvironment {
  addresses: StackAddresses;
  databaseUrls: Record<string, string>;
  /** Undefined for a service that has nothing to do with the broker. */
  natsUrlOf: (service: string) => string | undefined;
  secretsKey: string;
  /** The directory in which the processes keep what Node made of the sources. */
  compileCache: string;
  /** Whether spans are kept. */
  traces: boolean;
  /** More variables for every service; they win over inherited ones. */
  env: Record<string, string>;
  /** A directory of certificates; undefined: nothing speaks TLS. */
  tls: string | undefined;
  /** The URL a service gets in place of a server's own. */
  reach: (service: string, url: string) => string;
}

/** How one service is run; its internal port is picked here and stays the same when it is restarted. */
export async function serviceProcess(
  service: Service,
  home: StateDirectory,
  shared: ServiceEnvironment,
): Promise<ProcessDefinition> {
  const internalPort = await freePort();
  const databaseUrl = shared.databaseUrls[databaseName(service)];
  const tls = shared.tls && join(shared.tls, service.replicaOf ?? service.name);
  const reach = (url: string | undefined) => url && shared.reach(service.name, url);
  return {
    name: service.name,
    command: process.execPath,
    args: [`--max-semi-space-size=${service.semiSpaceMb ?? semiSpaceMb}`, '--v8-pool-size=1', service.script],
    env: {
      LOG_LEVEL: 'info',
      MALLOC_ARENA_MAX: String(mallocArenas),
      MALLOC_TRIM_THRESHOLD_: String(mallocTrimBytes),
      ...inheritedEnvironment(),
      HOST: loopback,
      INTERNAL_HOST: loopback,
      NODE_COMPILE_CACHE: shared.compileCache,
      DATABASE_URL: reach(databaseUrl),
      NATS_URL: reach(shared.natsUrlOf(service.replicaOf ?? service.name)),
      SECRETS_KEY: shared.secretsKey,
      INTERNAL_PORT: String(internalPort),
      ...(shared.traces ? { TRACE_DIRECTORY: home.tracesDirectory } : {}),
      ...(tls === undefined ? {} : { INTERNAL_TLS_DIR: tls, NATS_TLS_FIRST: 'false' }),
      ...service.environment(shared.addresses),
      ...shared.env,
    },
    cwd: dirname(service.script),
    logFile: home.logFile(service.name),
    stopSignal: 'SIGTERM',
    stopTimeoutMs,
    tier: service.tier,
    isReady: () =>
      httpAnswersOk(`${tls ? 'https' : 'http'}://127.0.0.1:${internalPort}/ready`, tls && join(tls, 'ca.pem')),
  };
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !notInherited.has(name) && !notInheritedPrefixes.some((prefix) => name.startsWith(prefix)),
    ),
  );
}

const warmTimeoutMs = 30_000;

// Loads every service as far as its configuration, which refuses the port and ends it: here, by an exception.
const importAll = `
import { flushCompileCache } from 'node:module';
const exit = process.exit;
process.exit = () => { throw new Error('not to be run'); };
for (const file of process.argv.slice(1)) await import(file).catch(() => undefined);
flushCompileCache();
exit(0);
`;

/** Where the services' processes keep what Node made of the sources. */
export function compileCache(home: Pick<StateDirectory, 'path'>): string {
  return join(home.path, 'compile-cache');
}

/** The stacks of tests share the one of `npm start`: the sources are the same, and reading them anew takes seconds. */
export const sharedCompileCache = compileCache({ path: join(repository, '.gateway') });

/**
 * Before the very first start, one process strips and compiles what the services will load. Each of them would else
 * do it for itself, and keep the 20 MB it takes.
 */
export async function warmCompileCache(cache: string, services: readonly Service[]): Promise<void> {
  if (existsSync(cache)) return;
  const modules = services.map(({ script }) => pathToFileURL(script).href);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', importAll, ...modules], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache, INTERNAL_PORT: 'none' },
    stdio: 'ignore',
    timeout: warmTimeoutMs,
  });
  // Whatever becomes of it, the services start; at worst as slowly as they would have without it.
  await once(child, 'exit');
}
