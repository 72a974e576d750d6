import { natsServer, type NatsUser } from '#src/infrastructure/nats-server.ts';
import { postgresServer } from '#src/infrastructure/postgres-server.ts';
import { onOtherPorts } from '#src/processes/other-ports.ts';
import { becomeReady } from '#src/processes/readiness.ts';
import type { SupervisedProcess } from '#src/processes/supervised-process.ts';
import { Supervisor } from '#src/processes/supervisor.ts';
import { progressUnless, type Progress } from '#src/progress.ts';
import { StateDirectory } from '#src/state-directory.ts';

const readyDeadlineMs = 60_000;

export interface ServerOptions {
  durable: boolean;
  /** An administrator's URL of a PostgreSQL to use instead of an embedded one. */
  databaseUrl?: string;
  /** A NATS server to use instead of one of our own. */
  natsUrl?: string;
  /** Users of our own NATS server, each in an account of its own. */
  natsUsers?: readonly NatsUser[];
  /** A directory of certificates (deploy/certificates.mjs): then our own servers take nothing but TLS. */
  tls?: string;
  signal?: AbortSignal;
}

export interface Servers {
  /** An administrator's URL. */
  databaseUrl: string;
  /** The administrator's of our own server. */
  natsUrl: string;
  /** A service's own; undefined for one that has nothing to do with the broker. */
  natsUrlOf: (service: string) => string | undefined;
  /** Undefined when another PostgreSQL is used. */
  postgres?: SupervisedProcess;
  /** Undefined when another NATS server is used. */
  nats?: { process: SupervisedProcess; storeDirectory: string };
}

/** Starts PostgreSQL and NATS, where none is given, and waits until both work. */
export async function startServers(
  home: StateDirectory,
  supervisor: Supervisor,
  options: ServerOptions,
  progress: Progress,
): Promise<Servers> {
  // Whichever fails, both have ended before the caller cleans up.
  const [database, broker] = await Promise.allSettled([
    databaseServer(home, supervisor, options, progress),
    brokerServer(home, supervisor, options, progress),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (broker.status === 'rejected') throw broker.reason;
  const own = [database.value.postgres, broker.value.nats?.process].filter((child) => child !== undefined);
  await becomeReady(own, { deadlineMs: readyDeadlineMs, signal: options.signal });
  return { ...database.value, ...broker.value };
}

async function databaseServer(
  home: StateDirectory,
  supervisor: Supervisor,
  options: ServerOptions,
  progress: Progress,
): Promise<Pick<Servers, 'databaseUrl' | 'postgres'>> {
  if (options.databaseUrl !== undefined) return { databaseUrl: options.databaseUrl };
  const { url, definition } = await postgresServer(home, { durable: options.durable, tls: options.tls }, progress);
  options.signal?.throwIfAborted();
  return { databaseUrl: url, postgres: await supervisor.run(definition) };
}

async function brokerServer(
  home: StateDirectory,
  supervisor: Supervisor,
  options: ServerOptions,
  progress: Progress,
): Promise<Pick<Servers, 'natsUrl' | 'natsUrlOf' | 'nats'>> {
  const { natsUrl } = options;
  if (natsUrl !== undefined) return { natsUrl, natsUrlOf: () => natsUrl };
  const { url, urlOf, definition, storeDirectory } = await natsServer(
    home,
    { users: options.natsUsers ?? [], tls: options.tls },
    progress,
  );
  options.signal?.throwIfAborted();
  return { natsUrl: url, natsUrlOf: urlOf, nats: { process: await supervisor.run(definition), storeDirectory } };
}

export interface InfrastructureOptions {
  /** The state directory. */
  home: string;
  /** False for tests: a crash of the machine may lose everything, in exchange for speed. Default true. */
  durable?: boolean;
  /** NATS users, each in an account of its own: their subjects and streams do not meet. Default: one shared account. */
  natsUsers?: readonly NatsUser[];
  /** Prints no progress lines. */
  quiet?: boolean;
}

/** A PostgreSQL and a nats-server of our own, running and healthy. */
export interface Infrastructure extends AsyncDisposable {
  /** The superuser's URL. */
  databaseUrl: string;
  /** The administrator's, or, with `natsUsers`, without a user. */
  natsUrl: string;
  /** Of a service's own user, with the permissions it has in every deployment. */
  natsUrlOf: (service: string) => string | undefined;
  /** Ends both and leaves nothing running; their data stays. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and NATS alone, for tests and benchmarks.
 *
 * @throws StartFailure when something is missing, or another process already uses this state directory.
 */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const progress = progressUnless(options.quiet);
  return await onOtherPorts(progress, () => startOnce(options, progress));
}

async function startOnce(options: InfrastructureOptions, progress: Progress): Promise<Infrastructure> {
  const home = StateDirectory.create(options.home);
  const supervisor = await Supervisor.open(home, progress);
  try {
    const { durable = true, natsUsers } = options;
    const servers = await startServers(home, supervisor, { durable, natsUsers }, progress);
    const stop = (): Promise<void> => supervisor.stop();
    const { databaseUrl, natsUrl, natsUrlOf } = servers;
    return { databaseUrl, natsUrl, natsUrlOf, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
