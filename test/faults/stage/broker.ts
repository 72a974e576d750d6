import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, copyFileSync, cpSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { serviceNames } from '@gateway/contracts/messages';
import { natsPermissions, natsUser } from '@gateway/local-stack';
import { eventually, freePort } from '@gateway/test-kit';

const readyTimeoutMs = 60_000;
const orderlyStopTimeoutMs = 10_000;

interface NodeAddresses {
  readonly name: string;
  readonly port: number;
  readonly monitoringPort: number;
  readonly routePort: number;
}

/** One nats-server with JetStream that can be taken away, brought back and given other data. */
export class BrokerNode implements AsyncDisposable {
  readonly addresses: NodeAddresses;
  readonly storeDirectory: string;
  readonly #binary: string;
  readonly #configFile: string;
  readonly #logFile: string;
  #child: ChildProcess | undefined;

  constructor(binary: string, home: string, addresses: NodeAddresses, all: readonly NodeAddresses[]) {
    const directory = join(home, 'brokers', addresses.name);
    mkdirSync(directory, { recursive: true });
    mkdirSync(join(home, 'logs'), { recursive: true });
    this.addresses = addresses;
    this.storeDirectory = join(directory, 'store');
    mkdirSync(this.storeDirectory, { recursive: true });
    this.#binary = binary;
    this.#configFile = join(directory, 'nats.conf');
    this.#logFile = join(home, 'logs', `${addresses.name}.log`);
    copyFileSync(natsPermissions, join(directory, basename(natsPermissions)));
    writeFileSync(this.#configFile, configuration(addresses, this.storeDirectory, all));
  }

  get name(): string {
    return this.addresses.name;
  }

  async start(): Promise<void> {
    if (this.#child !== undefined) return;
    const log = openSync(this.#logFile, 'a');
    const options = { cwd: dirname(this.#configFile), stdio: ['ignore', log, log] as ['ignore', number, number] };
    const child = spawn(this.#binary, ['-c', this.#configFile], options);
    closeSync(log);
    this.#child = child;
    await once(child, 'spawn');
  }

  /** Waits until JetStream answers for itself and all of its streams. */
  async ready(): Promise<void> {
    await eventually(
      async () => {
        const health = await fetch(`http://127.0.0.1:${this.addresses.monitoringPort}/healthz`);
        if (!health.ok) throw new Error(`${this.name}: ${await health.text()}`);
      },
      { timeoutMs: readyTimeoutMs, everyMs: 50 },
    );
  }

  /** Ends it in good order, or as a crash does. It stays away until `start`. */
  async stop(how: 'orderly' | 'crash'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(how === 'crash' ? 'SIGKILL' : 'SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), orderlyStopTimeoutMs);
    await exited;
    clearTimeout(impatience);
    this.#child = undefined;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Keeps what it has stored by now, as a backup would. It must be stopped. */
  keepCopy(): void {
    this.loseCopy();
    cpSync(this.storeDirectory, this.#copy, { recursive: true });
  }

  /** What it has stored since the copy never was. It must be stopped. */
  rollBack(): void {
    this.loseData();
    cpSync(this.#copy, this.storeDirectory, { recursive: true });
  }

  loseCopy(): void {
    rmSync(this.#copy, { recursive: true, force: true });
  }

  /** It must be stopped. */
  loseData(): void {
    rmSync(join(this.storeDirectory, 'jetstream'), { recursive: true, force: true });
  }

  note(text: string): void {
    appendFileSync(this.#logFile, `--- ${text}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGCONT');
    await this.stop('orderly');
  }

  get #copy(): string {
    return `${this.storeDirectory}.copy`;
  }
}

/** A broker of one node, or a cluster of three. */
export async function startBroker(binary: string, home: string, nodes: 1 | 3): Promise<BrokerNode[]> {
  const addresses: NodeAddresses[] = [];
  for (let index = 1; index <= nodes; index++) {
    addresses.push({
      name: nodes === 1 ? 'nats' : `nats-${index}`,
      port: await freePort(),
      monitoringPort: await freePort(),
      routePort: await freePort(),
    });
  }
  const broker = addresses.map((own) => new BrokerNode(binary, home, own, addresses));
  await Promise.all(broker.map((node) => node.start()));
  await Promise.all(broker.map((node) => node.ready()));
  return broker;
}

/** Of every user; nothing but this test reaches the broker. */
const brokerPassword = 'fault';
const users = ['gateway', ...serviceNames].map((name) => natsUser(name, brokerPassword));

/** Where a service reaches a node, or its administrator does. */
export function brokerUrl(user: string, port: number): string {
  return `nats://${user}:${brokerPassword}@127.0.0.1:${port}`;
}

function configuration(own: NodeAddresses, store: string, all: readonly NodeAddresses[]): string {
  const routes = all.map(({ routePort }) => `"nats-route://127.0.0.1:${routePort}"`).join(', ');
  // Clients keep to the addresses they were given, which lead through a proxy.
  const cluster = `cluster { name: gateway, listen: "127.0.0.1:${own.routePort}", no_advertise: true, routes: [${routes}] }\n`;
  return `server_name: ${own.name}
listen: "127.0.0.1:${own.port}"
http: "127.0.0.1:${own.monitoringPort}"
jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: 1TB }
include ./${basename(natsPermissions)}
authorization { users: [
${users.join('\n')}
] }
${all.length > 1 ? cluster : ''}`;
}
