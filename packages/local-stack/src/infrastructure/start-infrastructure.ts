import type { NatsUser } from '#src/infrastructure/nats-server.ts';
import { startServers } from '#src/infrastructure/start-servers.ts';
import { Supervisor } from '#src/processes/supervisor.ts';
import { progressUnless } from '#src/progress.ts';
import { StateDirectory } from '#src/stack/state-directory.ts';

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
  /** The administrator's, or, with `natsUsers`, nobody's. */
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
