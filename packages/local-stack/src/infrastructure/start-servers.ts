import { natsServer } from '#src/infrastructure/nats-server.ts';
import type { NatsUser } from '#src/infrastructure/nats-server.ts';
import { postgresServer } from '#src/infrastructure/postgres-server.ts';
import { becomeReady } from '#src/processes/become-ready.ts';
import type { SupervisedProcess } from '#src/processes/supervised-process.ts';
import type { Supervisor } from '#src/processes/supervisor.ts';
import type { Progress } from '#src/progress.ts';
import type { StateDirectory } from '#src/stack/state-directory.ts';

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
  // Whoever fails, both have come to an end before the caller cleans up.
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
