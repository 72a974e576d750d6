import {
  natsBinary,
  removeAbandonedHomes,
  startInfrastructure,
  temporaryHome,
  type NatsUser,
} from '@gateway/local-stack';

/** Workers of one test run at most; each gets a NATS account of its own. */
const testWorkersMax = 8;

/**
 * PostgreSQL and NATS for every test: the servers named by TEST_DATABASE_URL and TEST_NATS_URL; with
 * TEST_INFRA=containers, containers; else the embedded servers, on a state directory of this run's own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // The tests that take a broker away, or start several, run the one that the others are given.
  process.env.NATS_SERVER = await natsBinary((line) => console.log(line));
  if (process.env.TEST_DATABASE_URL && process.env.TEST_NATS_URL) return async () => undefined;
  const users = Array.from({ length: testWorkersMax }, (_, index) => ({
    user: `worker-${index + 1}`,
    password: 'test',
  }));
  const servers = process.env.TEST_INFRA === 'containers' ? await containers(users) : await embedded(users);
  process.env.TEST_DATABASE_URL = servers.databaseUrl;
  process.env.TEST_NATS_URL = servers.natsUrl;
  process.env.TEST_NATS_ACCOUNTS = 'true';
  return servers.stop;
}

interface TestServers {
  databaseUrl: string;
  natsUrl: string;
  stop(): Promise<void>;
}

async function containers(users: readonly NatsUser[]): Promise<TestServers> {
  const { startContainers } = await import('./container-infrastructure.ts');
  return startContainers(users);
}

async function embedded(users: readonly NatsUser[]): Promise<TestServers> {
  await removeAbandonedHomes();
  const home = temporaryHome();
  const { databaseUrl, natsUrl, stop } = await startInfrastructure({
    home: home.path,
    durable: false,
    natsUsers: users,
  });
  return {
    databaseUrl,
    natsUrl,
    stop: async () => {
      await stop();
      home[Symbol.dispose]();
    },
  };
}
