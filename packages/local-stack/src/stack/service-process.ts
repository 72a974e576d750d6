import { dirname, join } from 'node:path';

import { freePort } from '#src/processes/free-port.ts';
import { httpAnswersOk } from '#src/processes/http-answers-ok.ts';
import type { ProcessDefinition } from '#src/processes/supervised-process.ts';
import { databaseName } from '#src/stack/service.ts';
import type { Service, StackAddresses } from '#src/stack/service.ts';
import type { StateDirectory } from '#src/stack/state-directory.ts';
import { compileCache } from '#src/stack/warm-compile-cache.ts';

const loopback = '127.0.0.1';
const stopTimeoutMs = 10_000;

// Seven processes share one machine: small where there is no load, said by the service where there is.
const semiSpaceMb = 2;
const mallocArenas = 1;
// Said, it stays as it is: glibc else raises it with every large buffer, and gives less back.
const mallocTrimBytes = 128 * 1024;

// Set by the stack for each service, or meant for the process that starts it, so never handed down.
const notInherited = new Set([
  ...[
    'HOST',
    'OPS_HOST',
    'INTERNAL_HOST',
    'PORT',
    'OPS_PORT',
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

export interface ServiceSurroundings {
  addresses: StackAddresses;
  databaseUrls: Record<string, string>;
  /** Undefined for a service that has nothing to do with the broker. */
  natsUrlOf: (service: string) => string | undefined;
  secretsKey: string;
  /** More variables for every service; they win over inherited ones. */
  env: Record<string, string>;
  /** A directory of certificates; undefined: nothing speaks TLS. */
  tls: string | undefined;
  /** What a service is told in place of a server's URL. */
  reach: (service: string, url: string) => string;
}

/** How one service is run; its internal port is picked here and stays the same when it is restarted. */
export async function serviceProcess(
  service: Service,
  home: StateDirectory,
  surroundings: ServiceSurroundings,
): Promise<ProcessDefinition> {
  const internalPort = await freePort();
  const databaseUrl = surroundings.databaseUrls[databaseName(service)];
  const tls = surroundings.tls && join(surroundings.tls, service.replicaOf ?? service.name);
  const reach = (url: string | undefined) => url && surroundings.reach(service.name, url);
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
      NODE_COMPILE_CACHE: compileCache(home),
      DATABASE_URL: reach(databaseUrl),
      NATS_URL: reach(surroundings.natsUrlOf(service.replicaOf ?? service.name)),
      SECRETS_KEY: surroundings.secretsKey,
      INTERNAL_PORT: String(internalPort),
      ...(tls === undefined ? {} : { INTERNAL_TLS_DIR: tls, NATS_TLS_FIRST: 'false' }),
      ...service.environment(surroundings.addresses),
      ...surroundings.env,
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
