import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayServices, natsBinary, startStack, temporaryHome, type Service, type Stack } from '@gateway/local-stack';
import { byProxy } from '@gateway/test-kit';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { brokerUrl, startBroker, type BrokerNode } from './broker.ts';
import { mountLimitedDisk, type LimitedDisk } from './limited-disk.ts';
import { doubled } from './replicas.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** One of everything, or three brokers and two of every service. */
export type Topology = 'single' | 'cluster';

/** Every account of the simulator is a provider of live money. */
const simulatedAccounts = 'bacen,efi,woovi,spei';

const clockModule = join(import.meta.dirname, 'shifted-clock.ts');

/** The whole product with everything between its parts that can be made to fail. */
export interface Stage extends AsyncDisposable {
  readonly stack: Stack;
  readonly topology: Topology;
  readonly home: string;
  /** Where merchants call; a load balancer would choose among them. */
  readonly urls: readonly string[];
  readonly broker: readonly BrokerNode[];
  /** The processes that are ours, replicas included. */
  readonly services: readonly string[];
  /** Undefined where this process may not mount one. */
  readonly brokerDisk: LimitedDisk | undefined;
  readonly receiver: WebhookReceiver;
  /** The connections of one service to the broker, or to its database. */
  links(service: string, to: 'broker' | 'database'): readonly TcpProxy[];
  /** From now on its clock is off by so much. */
  shiftClock(service: string, offsetMs: number): void;
  /** Resolves once every part works (again). */
  ready(): Promise<void>;
}

export interface StageOptions {
  readonly topology: Topology;
  /** Keeps the state directory, logs included, instead of removing it at the end. */
  readonly home?: string;
}

export async function startStage({ topology, home: givenHome }: StageOptions): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const home = givenHome ?? parts.use(temporaryHome()).path;
  const isCluster = topology === 'cluster';
  const receiver = parts.use(await startWebhookReceiver());
  const brokerHome = join(home, 'brokers');
  const disk = isCluster ? undefined : mountLimitedDisk(brokerHome);
  if (disk !== undefined) parts.use(disk);
  const broker = await startBroker(await natsBinary(() => undefined), home, isCluster ? 3 : 1);
  for (const node of broker) parts.use(node);
  const { services, secondUrl } = isCluster ? await doubled() : { services: gatewayServices, secondUrl: undefined };
  const network = await startNetwork(services, broker, parts);
  const clocks = new Clocks(join(home, 'clocks'));
  const stack = parts.use(
    await startStack({
      ...{ home, services: services.map((service) => clocks.wound(service)), durable: false, quiet: true },
      ...{ natsUrl: brokerUrl('gateway', broker[0]?.addresses.port ?? 0), reach: network.reach },
      env: { PROVIDER_POLL_SEC: '2', ACCOUNTS: simulatedAccounts, ...(isCluster ? { STREAM_REPLICAS: '3' } : {}) },
    }),
  );
  const owned = parts.move();
  return {
    urls: [stack.baseUrl, ...(secondUrl === undefined ? [] : [secondUrl])],
    ...{ stack, topology, home, broker, brokerDisk: disk, receiver, links: network.links },
    services: services.map(({ name }) => name).filter((name) => name !== 'psp-simulator'),
    shiftClock: (service, offsetMs) => clocks.shift(service, offsetMs),
    ready: async () => {
      await Promise.all(broker.map((node) => node.ready()));
      await stack.ready();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Network {
  reach(service: string, url: string): string;
  links: Stage['links'];
}

/** A proxy between each service and each server it uses. */
async function startNetwork(
  services: readonly Service[],
  broker: readonly BrokerNode[],
  parts: AsyncDisposableStack,
): Promise<Network> {
  const proxies = new Map<string, { user: string; database: TcpProxy[]; broker: TcpProxy[] }>();
  for (const { name, replicaOf = name } of services) {
    const toBroker: TcpProxy[] = [];
    for (const { addresses } of broker) {
      const proxy = parts.use(await startTcpProxy());
      proxy.target = { host: '127.0.0.1', port: addresses.port };
      toBroker.push(proxy);
    }
    proxies.set(name, { user: replicaOf, database: [parts.use(await startTcpProxy())], broker: toBroker });
  }
  const of = (service: string) => {
    const found = proxies.get(service);
    if (found === undefined) throw new Error(`no service is called ${service}`);
    return found;
  };
  return {
    links: (service, to) => of(service)[to],
    reach: (service, url) => {
      const reached = of(service);
      if (url.startsWith('nats:')) return reached.broker.map(({ port }) => brokerUrl(reached.user, port)).join(',');
      const database = new URL(url);
      const [proxy] = reached.database;
      proxy!.target = { host: database.hostname, port: Number(database.port) };
      return byProxy(url, proxy!.port);
    },
  };
}

/** Each service reads how wrong its clock is from a file of its own. */
class Clocks {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  wound(service: Service): Service {
    this.shift(service.name, 0);
    return {
      ...service,
      environment: (stack) => ({
        ...service.environment(stack),
        NODE_OPTIONS: `--import=${clockModule}`,
        FAULT_CLOCK_FILE: this.#file(service.name),
      }),
    };
  }

  shift(service: string, offsetMs: number): void {
    writeFileSync(this.#file(service), String(offsetMs));
  }

  #file(service: string): string {
    return join(this.#directory, service);
  }
}
