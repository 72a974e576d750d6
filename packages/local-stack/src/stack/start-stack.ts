import { builtConsole } from '#src/infrastructure/built-console.ts';
import { provisionDatabases } from '#src/infrastructure/provision-databases.ts';
import { startServers, type Servers } from '#src/infrastructure/start-infrastructure.ts';
import { freePort } from '#src/processes/free-port.ts';
import { onOtherPorts } from '#src/processes/other-ports.ts';
import { becomeReady, becomeWhole } from '#src/processes/readiness.ts';
import type { SupervisedProcess } from '#src/processes/supervised-process.ts';
import { Supervisor } from '#src/processes/supervisor.ts';
import { progressUnless, type Progress } from '#src/progress.ts';
import {
  demoMerchants,
  knownMerchants,
  writeDevFile,
  type DevFile,
  type SignInLink,
} from '#src/stack/demo-merchant.ts';
import {
  databaseName,
  gatewayServices,
  merchantConsoleUrl,
  operatorConsoleUrl,
  type Service,
  type StackAddresses,
} from '#src/stack/gateway-services.ts';
import { layoutFromEnvironment, processesOf, processOf, type Layout } from '#src/stack/layout.ts';
import { managedServer, type ManagedServer } from '#src/stack/managed-server.ts';
import { beginWithMigratedCluster, keepMigratedCluster } from '#src/stack/migrated-cluster.ts';
import { signInLinks } from '#src/stack/sign-in-links.ts';
import { requireDistinctPorts, resolvePort } from '#src/stack/ports.ts';
import { compileCache, serviceProcess, sharedCompileCache, warmCompileCache } from '#src/stack/service-process.ts';
import { StateDirectory } from '#src/state-directory.ts';

const readyDeadlineMs = 90_000;
const startRestartsMax = 5;
const loopback = '127.0.0.1';
const operatorNames = ['ana', 'bruno'] as const;

export interface StackOptions {
  /** The state directory; two stacks need two. */
  home: string;
  /** 0, the default, picks a free port. */
  ports?: { public?: number; ops?: number; console?: number; simulator?: number };
  /** More environment variables for every service. */
  env?: Record<string, string>;
  /** Operators beside the two that may do everything. */
  moreOperators?: StackAddresses['operators'];
  /** False for tests: a crash of the machine may lose everything, in exchange for speed. Default true. */
  durable?: boolean;
  /** Which services share a process. Default: GATEWAY_LAYOUT, and each has one of its own without it. */
  layout?: Layout;
  /** What to run. Default: the whole product. */
  services?: readonly Service[];
  /** An administrator's URL of a PostgreSQL to use instead of an embedded one. */
  databaseUrl?: string;
  /** A NATS server to use instead of one of our own. */
  natsUrl?: string;
  /** The URL a service gets in place of that of PostgreSQL or NATS; for tests with something in between. */
  reach?: (service: string, url: string) => string;
  /** Keeps spans in the state directory, for `npm run trace`. Default false. */
  traces?: boolean;
  /** Prints no progress lines. */
  quiet?: boolean;
  /**
   * A directory of certificates, one per part (deploy/certificates.mjs): then our own servers and the listeners of services
   * for one another speak TLS alone.
   */
  tls?: string;
  /** Gives up starting: what was started is stopped, and the start rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The running product. */
export interface Stack extends AsyncDisposable {
  /** What `dev.json` says. */
  dev: DevFile;
  baseUrl: string;
  opsUrl: string;
  /** Where the people of merchants sign in, as this machine reaches it. */
  consoleUrl: string;
  simulatorUrl: string;
  /** Per database name (`gateway_ledger`), each for its own role. */
  databaseUrls: Record<string, string>;
  /** The broker's administrator, who may do what no service may. */
  natsUrl: string;
  natsServer: ManagedServer;
  postgres: ManagedServer;
  /** The process of a service by the service's name, or `postgres`, or `nats`. */
  process(name: string): SupervisedProcess;
  /** Links that sign people in at the consoles, each once, also in `dev.json`; none where these are reached from elsewhere. */
  signInLinks(): Promise<SignInLink[]>;
  /** How often the process was started again after an unexpected exit. */
  restartCount(name: string): number;
  /** Resolves once every process is ready (again), and reached by those that work with it. */
  ready(): Promise<void>;
  /** Ends everything in good order; the data stays. */
  stop(): Promise<void>;
  /** Kills everything at once. `stop` still has to follow. */
  killAll(): void;
}

/**
 * Starts the product on this machine and waits until all of it is ready.
 *
 * @throws StartFailure in one line when something is missing, a port is taken, the state directory is in use, or a
 *   process does not become ready.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const progress = progressUnless(options.quiet);
  return await onOtherPorts(progress, () => startOnce(options, progress));
}

async function startOnce(options: StackOptions, progress: Progress): Promise<Stack> {
  const home = StateDirectory.create(options.home);
  const supervisor = await Supervisor.open(home, progress);
  try {
    return await start(home, supervisor, options, progress);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function start(
  home: StateDirectory,
  supervisor: Supervisor,
  options: StackOptions,
  progress: Progress,
): Promise<Stack> {
  const services = options.services ?? gatewayServices;
  const addresses = await stackAddresses(home, options);
  progress('starting PostgreSQL and NATS …');
  const names = [...new Set(services.map(databaseName))];
  const owned = names.map((name) => ({ name, password: home.databasePassword(name) }));
  const { durable = true } = options;
  const cache = durable ? compileCache(home) : sharedCompileCache;
  const begins = !durable && isTheProduct(services) && options.databaseUrl === undefined && options.tls === undefined;
  const prepareServers = async () => {
    const isMigrated = begins && (await beginWithMigratedCluster(home));
    const servers = await startServers(home, supervisor, { ...options, durable }, progress);
    return { isMigrated, servers, databaseUrls: await provisionDatabases(servers.databaseUrl, owned) };
  };
  const isWhole = options.services === undefined;
  const [{ isMigrated, servers, databaseUrls }, consoleFiles] = await Promise.all([
    prepareServers(),
    isWhole ? builtConsole(progress) : '',
    isWhole ? warmCompileCache(cache, services) : undefined,
  ]);
  progress(`starting ${services.map(({ name }) => name).join(', ')} …`);
  const shared = {
    addresses: { ...addresses, consoleFiles },
    databaseUrls,
    natsUrlOf: (service: string) => servers.natsUrlOf(service),
    secretsKey: home.secrets().secretsKey,
    compileCache: cache,
    env: options.env ?? {},
    traces: options.traces ?? false,
    tls: options.tls,
    reach: options.reach ?? ((_service, url) => url),
  };
  const wholeUrls = services.flatMap((service) => service.wholeUrl?.(addresses) ?? []);
  const layout = options.layout ?? layoutFromEnvironment();
  const definitions = await Promise.all(services.map((service) => serviceProcess(service, home, shared)));
  if (begins && !isMigrated && isWhole && options.reach === undefined && servers.postgres)
    await keepMigratedCluster(home, servers.postgres, processesOf(definitions, 'together', home));
  for (const definition of processesOf(definitions, layout, home)) await supervisor.run(definition);
  const ready = async (restartsMax?: number): Promise<void> => {
    await becomeReady(supervisor.processes, { deadlineMs: readyDeadlineMs, restartsMax, signal: options.signal });
    await becomeWhole(wholeUrls, { deadlineMs: readyDeadlineMs, signal: options.signal });
  };
  await ready(startRestartsMax);
  const dev = await introduce(home, addresses, services);
  const identity = addresses.isLocal ? definitions.find(({ name }) => name === 'identity') : undefined;
  return {
    ...runningStack({ supervisor, layout }, servers, dev, ready),
    consoleUrl: localUrl(loopback, addresses.consolePort),
    databaseUrls,
    signInLinks: async () => {
      if (!identity) return [];
      const logins = await signInLinks({ environment: identity.env, accountId: dev.merchants[0]?.account_id });
      writeDevFile(home.devFile, { ...dev, logins });
      return logins;
    },
  };
}

/** All of its databases, though a test may run its services in a way of its own. */
function isTheProduct(services: readonly Service[]): boolean {
  return gatewayServices.every(({ script }) => services.some((service) => service.script === script));
}

async function stackAddresses(
  home: StateDirectory,
  { ports = {}, tls, moreOperators = [] }: StackOptions,
): Promise<StackAddresses> {
  // Not HOST, which some shells export: only what was meant to be is reached from the network.
  const host = process.env.GATEWAY_HOST || loopback;
  const opsHost = process.env.GATEWAY_OPS_HOST || loopback;
  requireDistinctPorts(ports);
  const publicPort = await resolvePort({ variable: 'PORT', port: ports.public ?? 0 }, host);
  const opsPort = await resolvePort({ variable: 'OPS_PORT', port: ports.ops ?? 0 }, opsHost);
  const consolePort = await resolvePort({ variable: 'CONSOLE_PORT', port: ports.console ?? 0 }, loopback);
  const simulatorPort = await resolvePort({ variable: 'SIMULATOR_PORT', port: ports.simulator ?? 0 }, loopback);
  const compatPort = await freePort(loopback);
  const baseUrl = localUrl(host, publicPort);
  const tokens = home.secrets().opsTokens;
  return {
    host,
    publicPort,
    baseUrl,
    publicUrl: process.env.PUBLIC_URL || baseUrl,
    opsHost,
    opsPort,
    opsUrl: localUrl(opsHost, opsPort),
    consolePort,
    isLocal: [host, opsHost].every((each) => loopbackHosts.has(each)),
    simulatorPort,
    simulatorUrl: localUrl(loopback, simulatorPort),
    compatPort,
    compatUrl: localUrl(loopback, compatPort).replace(/^http/, tls === undefined ? 'http' : 'https'),
    operators: [...operatorNames.map((name, index) => ({ name, token: tokens[index as 0 | 1] })), ...moreOperators],
  };
}

/** What only a developer's machine may have is off when a listener can be reached from elsewhere. */
const loopbackHosts: ReadonlySet<string> = new Set([loopback, '::1', 'localhost']);

/** How this machine reaches a listener: listening everywhere includes loopback. */
function localUrl(host: string, port: number): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? loopback : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function introduce(
  home: StateDirectory,
  addresses: StackAddresses,
  services: readonly Service[],
): Promise<DevFile> {
  const { baseUrl, opsUrl, simulatorUrl, isLocal } = addresses;
  const [first, second] = home.secrets().opsTokens;
  const known = knownMerchants(home.devFile);
  const hasGateway = services.some((service) => service.name === 'api-gateway');
  const merchants = hasGateway ? await demoMerchants({ opsUrl, tokens: [first, second] }, known, isLocal) : known;
  const dev = {
    base_url: baseUrl,
    ops_url: opsUrl,
    console_url: operatorConsoleUrl(addresses),
    merchant_console_url: merchantConsoleUrl(addresses),
    logins: [],
    ops_tokens: [first, second],
    simulator_url: simulatorUrl,
    merchants,
  };
  writeDevFile(home.devFile, dev);
  return dev;
}

function runningStack(
  { supervisor, layout }: { readonly supervisor: Supervisor; readonly layout: Layout },
  servers: Servers,
  dev: DevFile,
  ready: () => Promise<void>,
): Omit<Stack, 'databaseUrls' | 'signInLinks' | 'consoleUrl'> {
  return {
    dev,
    baseUrl: dev.base_url,
    opsUrl: dev.ops_url,
    simulatorUrl: dev.simulator_url,
    natsUrl: servers.natsUrl,
    natsServer: managedServer('NATS', servers.nats?.process, servers.nats?.storeDirectory),
    postgres: managedServer('PostgreSQL', servers.postgres),
    process: (name) => supervisor.process(processOf(name, layout)),
    restartCount: (name) => supervisor.process(processOf(name, layout)).restartCount,
    ready,
    stop: () => supervisor.stop(),
    killAll: () => supervisor.killAll(),
    [Symbol.asyncDispose]: () => supervisor.stop(),
  };
}
