import { GenericContainer, Wait } from 'testcontainers';
import { natsAccounts, natsVersion, type NatsUser } from '@gateway/local-stack';

const postgresImage = 'postgres:18';
const natsImage = `nats:${natsVersion}-alpine`;
const natsConfig = '/etc/nats/gateway.conf';
const databasePassword = 'test';

interface ContainerServers {
  databaseUrl: string;
  natsUrl: string;
  stop(): Promise<void>;
}

/** PostgreSQL and NATS in containers, as they run in production. Needs Docker. */
export async function startContainers(users: readonly NatsUser[]): Promise<ContainerServers> {
  const [postgres, nats] = await Promise.all([
    new GenericContainer(postgresImage)
      .withEnvironment({ POSTGRES_PASSWORD: databasePassword })
      .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off', '-c', 'full_page_writes=off'])
      .withExposedPorts(5432)
      // Over TCP: the server that initialises the cluster, before the real one, listens on its socket alone.
      .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready --host=127.0.0.1 --username=postgres'))
      .start(),
    new GenericContainer(natsImage)
      .withCopyContentToContainer([{ content: natsConfiguration(users), target: natsConfig }])
      .withCommand(['-c', natsConfig])
      .withExposedPorts(4222, 8222)
      .withWaitStrategy(Wait.forHttp('/healthz', 8222))
      .start(),
  ]);
  return {
    databaseUrl: `postgresql://postgres:${databasePassword}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
    natsUrl: `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`,
    stop: async () => {
      await Promise.all([postgres.stop(), nats.stop()]);
    },
  };
}

function natsConfiguration(users: readonly NatsUser[]): string {
  return `http: 8222\njetstream { store_dir: "/data", max_file_store: 1TB }\n${natsAccounts(users)}`;
}
