import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import { ledgerCommand, type LedgerCommand, type LedgerCommandKind } from '@gateway/contracts/ledger';
import { serviceNames, type RpcContract, type ServiceName } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { natsBinary, startInfrastructure, temporaryHome, type Infrastructure } from '@gateway/local-stack';
import { connectBus, type Bus } from '@gateway/messaging';
import { silentLogger } from '@gateway/test-kit';

const repository = join(import.meta.dirname, '../..');

interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** What the file says that every broker includes. */
const permissions = new Map(serviceNames.map((service) => [service, permissionsOf(service)]));
const parts = new AsyncDisposableStack();
const temporary = parts.use(temporaryHome());
let infrastructure: Infrastructure;

beforeAll(async () => {
  infrastructure = parts.use(await startInfrastructure({ home: temporary.path, durable: false, quiet: true }));
});
afterAll(async () => parts.disposeAsync());

async function busOf(service: ServiceName): Promise<Bus> {
  const url = infrastructure.natsUrlOf(service) ?? '';
  return connectBus({ url, name: service, logger: silentLogger });
}

const all = [...permissions.values()];
const allStreams: readonly StreamContract[] = Object.values(streams);
/** What no service may, and what an intruder would try first. */
const forbidden = [
  ...['$JS.API.STREAM.LIST', '$JS.API.STREAM.NAMES', '$JS.API.STREAM.CREATE.SPY', '$JS.API.CONSUMER.CREATE.SPY'],
  ...['$SYS.REQ.SERVER.PING', 'rpc.ledger.move-money.v1', 'rpc.deposits.get-deposit.v2', 'event.deposits.deposit.v1'],
  ...['command.ledger.live.0.v1', 'command.ledger.live.0.make-money.v2', 'command.ledger.live.0'],
  ...['event.ledger.conversion.completed.v2', 'provider.efi.charge-paid.v1', 'anything'],
  ...allStreams.flatMap(({ name, readers = [] }) => [
    ...['DELETE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'LEADER.STEPDOWN'].map(
      (verb) => `$JS.API.STREAM.${verb}.${name}`,
    ),
    ...[`$JS.API.DIRECT.GET.${name}`, `$JS.API.CONSUMER.LIST.${name}`, `$JS.API.CONSUMER.CREATE.${name}`],
    ...[`$JS.API.CONSUMER.DURABLE.CREATE.${name}.spy`, `$JS.FC.${name}.spy.1`],
    ...readers.map(({ durable }) => `$JS.API.CONSUMER.LEADER.STEPDOWN.${name}.${durable}`),
  ]),
];
const published = [...new Set([...all.flatMap((each) => each.publish), ...all.flatMap((each) => each.subscribe)])]
  .map(concrete)
  .concat(forbidden);
const wide = [
  '>',
  '*.>',
  'rpc.>',
  'event.>',
  'command.>',
  'provider.>',
  'signal.>',
  '_INBOX.>',
  '$JS.>',
  '$JS.ACK.>',
  '$SYS.>',
];
const subscribed = [...new Set([...published, ...all.flatMap((each) => each.subscribe), ...wide])];

const kinds = Object.entries(ledgerCommand.senders) as [LedgerCommandKind, ServiceName][];

/** As much of a live command as its subject is made of. */
function commandOf(kind: LedgerCommandKind): LedgerCommand {
  return { kind, environment: 'live', accountId: newId('account') } as LedgerCommand;
}

describe.each(serviceNames)('the user of %s', (service) => {
  const allowed = permissionsOf(service);

  test('publishes what is its own to say, and is refused every other subject', async () => {
    await using bus = await busOf(service);
    const refused = await refusals(bus, () => {
      for (const subject of published) bus.connection.publish(subject, 'not read by anybody');
    });
    const expected = published.filter((subject) => !allowed.publish.some((pattern) => covers(pattern, subject)));
    expect(refused.sort()).toEqual([...new Set(expected)].sort());
    expect(published.length - expected.length).toBeGreaterThanOrEqual(allowed.publish.length);
  });

  test('hears what it is asked and answered, and is refused every other subject', async () => {
    await using bus = await busOf(service);
    const refused = await refusals(bus, () => {
      for (const subject of subscribed) bus.connection.subscribe(subject, { callback: () => undefined });
    });
    const expected = subscribed.filter((subject) => !allowed.subscribe.some((pattern) => covers(pattern, subject)));
    expect(refused.sort()).toEqual(expected.sort());
    expect(refused).toEqual(expect.arrayContaining(wide));
  });
});

test('whoever has the password of compat commands no ledger, forges no event and hears nobody', async () => {
  await using administrator = await connectBus({ url: infrastructure.natsUrl, name: 'test', logger: silentLogger });
  const heard: string[] = [];
  administrator.connection.subscribe('>', { callback: (_error, { subject }) => void heard.push(subject) });
  await administrator.ping();
  await using compat = await busOf('compat');
  const attempts = [
    'command.ledger.live.0.credit-deposit.v1',
    'event.deposits.deposit.paid.v1',
    '_INBOX.deposits.ask.guessed.1',
  ];
  const refused = await refusals(compat, () => {
    for (const subject of attempts) compat.connection.publish(subject, '{}', { reply: '_INBOX.compat.rpc.mallory.1' });
    compat.connection.subscribe('>', { callback: () => undefined });
  });
  expect(refused.sort()).toEqual(['>', ...attempts].sort());
  await administrator.ping();
  expect(heard.filter((subject) => attempts.includes(subject))).toEqual([]);
});

describe.each(kinds)('the command %s', (kind, sender) => {
  const command = commandOf(kind);
  const subject = ledgerCommand.subjectFor(command);
  // What decides them puts a dead letter back that is tried again.
  const allowed = new Set<ServiceName>([sender, ledgerCommand.owner]);
  const strangers = serviceNames.filter((service) => !allowed.has(service));

  test(`is stored when ${sender} sends it, and refused by the broker when another does`, async () => {
    await using administrator = await connectBus({ url: infrastructure.natsUrl, name: 'test', logger: silentLogger });
    const heard: string[] = [];
    administrator.connection.subscribe('command.>', {
      callback: (_error, message) => void heard.push(message.string()),
    });
    await administrator.ping();
    for (const service of [...strangers, sender]) {
      const bus = await busOf(service);
      const refused = await refusals(bus, () => bus.connection.publish(subject, `from ${service}`));
      expect(refused).toEqual(service === sender ? [] : [subject]);
    }
    await administrator.ping();
    expect(heard).toEqual([`from ${sender}`]);
  });

  test(`is made by ${sender} and by no other service`, () => {
    const making = serviceNames.filter((service) => sources.get(service)?.includes(`kind: '${kind}'`));
    expect(making).toEqual([sender]);
  });
});

/** Who sends the signals of a family, where it is not the gateway. */
const byIdentity = { people: 'identity', sessions: 'identity' };
const senders: Record<string, string> = { backlog: 'ledger', events: 'webhooks', providers: 'deposits', ...byIdentity };

test('nobody but its owner publishes an event, a notification or a signal', () => {
  const families = ['event.', 'provider.', 'signal.'];
  const publications = serviceNames.flatMap((service) =>
    permissionsOf(service).publish.flatMap((subject) =>
      families.some((family) => subject.startsWith(family)) ? [{ service, subject }] : [],
    ),
  );
  const strangers = publications.filter(({ service, subject }) => {
    const [family, owner] = subject.split('.');
    if (family === 'event') return owner !== service;
    return service !== ((family === 'signal' && senders[owner ?? '']) || 'api-gateway');
  });
  expect(publications.length).toBeGreaterThan(20);
  expect(strangers).toEqual([]);
});

test('webhooks and compat command no ledger, change no stream, and publish nothing but what is listed here', () => {
  const mayPublish = (service: ServiceName) =>
    permissionsOf(service).publish.filter((subject) => !subject.startsWith('$JS.'));
  expect(mayPublish('webhooks')).toEqual([
    ...['_INBOX.api-gateway.rpc.>', '_INBOX.compat.rpc.>', '_INBOX.reconciler.rpc.>'],
    ...['event.webhooks.webhook.disabled.v1', 'event.webhooks.webhook.failing.v1', 'signal.events.logged'],
  ]);
  expect(mayPublish('compat')).toEqual([
    '_INBOX.api-gateway.rpc.>',
    ...['rpc.api-gateway.authenticate-key.v2', 'rpc.api-gateway.get-caller.v1'],
    ...['rpc.deposits.create-connector-deposit.v1', 'rpc.ledger.get-balance.v1'],
    ...['rpc.payouts.abandon-creation.v1', 'rpc.payouts.create-connector-payout.v1'],
    'rpc.webhooks.replace-connector-endpoints.v2',
  ]);
  const jetstream = ['webhooks', 'compat'].flatMap((service) =>
    permissionsOf(service as ServiceName).publish.filter((subject) => subject.startsWith('$JS.')),
  );
  const reading =
    /^\$JS\.(ACK\.\w+\.webhooks-\w+\.>|API\.(INFO|STREAM\.INFO\.\w+|CONSUMER\.(CREATE|INFO|MSG\.NEXT)\.\w+\.webhooks-\w+))$/;
  expect(jetstream.filter((subject) => !reading.test(subject))).toEqual([]);
});

test('the reconciler commands nothing, forges nothing and changes no stream, whatever it asks', () => {
  const { publish } = permissionsOf('reconciler');
  const changing = /^(command|event|provider|signal)\.|^>|^\*|^\$JS\.API\.STREAM\.(CREATE|UPDATE|DELETE|PURGE)/;
  expect(publish.length).toBeGreaterThan(0);
  expect(publish.filter((subject) => changing.test(subject))).toEqual([]);
});

test('a question is asked by the services that may ask it, and by no other', async () => {
  // By its path: named as a package, every export of it would count as used.
  const folder = join(repository, 'packages/contracts');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const entries = Object.values(manifest.exports).map((path) => pathToFileURL(join(folder, path)).href);
  const modules = await Promise.all(entries.map(async (entry) => (await import(entry)) as Record<string, RpcContract>));
  const rpcs = modules.flatMap((module) => Object.entries(module)).filter(([, contract]) => contract?.kind === 'rpc');
  const asked = new Map(rpcs.map(([name]) => [name, serviceNames.filter((each) => asksFor(each, name))]));
  const differing = rpcs.filter(([name, { callers }]) => {
    const asking = asked.get(name) ?? [];
    // What no service asks yet opens nothing more than the gateway, through which all questions come.
    return String([...callers].sort()) !== String([...asking].sort()) && !(asking.length === 0 && callers.length === 1);
  });
  expect(differing.map(([name, { callers }]) => ({ name, callers, asking: asked.get(name) }))).toEqual([]);
});

describe.each(['nats.conf', 'cluster.conf'])('deploy/nats/%s', (file) => {
  const text = readFileSync(join(repository, 'deploy/nats', file), 'utf8');

  test('is what a server accepts, and has a user for each service with its own permissions', async () => {
    const passwords = serviceNames.map((service) => [`NATS_PASSWORD_${variableOf(service)}`, `s-${service}`] as const);
    const routes = { NATS_NODE: 'n1', NATS_ROUTE_1: 'nats://n2:6222', NATS_ROUTE_2: 'nats://n3:6222' };
    const env = { ...Object.fromEntries(passwords), ...routes, NATS_CLUSTER_PASSWORD: 's-cluster' };
    const binary = await natsBinary(() => undefined);
    const { status, stderr } = spawnSync(binary, ['-t', '-c', join(repository, 'deploy/nats', file)], { env });
    expect({ status, stderr: String(stderr).replace(/.*is valid.*\n/, '') }).toEqual({ status: 0, stderr: '' });
    const users = [...text.matchAll(/\{ user: "(\S+)", password: \$(\w+), permissions: \$(\w+) \}/g)].map(
      ([, user, password, permission]) => ({ user, password, permission }),
    );
    expect(users).toEqual(
      [...serviceNames].sort().map((user) => ({
        user,
        password: `NATS_PASSWORD_${variableOf(user)}`,
        permission: `PERMISSIONS_${variableOf(user)}`,
      })),
    );
    expect(text.match(/user: ?"/g)).toHaveLength(serviceNames.length);
  });

  test('tells who is connected to its own machine alone', () => {
    expect([...text.matchAll(/^http: (.*)$/gm)].map(([, address]) => address)).toEqual(['127.0.0.1:8222']);
  });

  test('takes messages as large as the broker of every other test', async () => {
    await using bus = await busOf('api-gateway');
    const megabytes = Number(/^max_payload: (\d+)MB$/m.exec(text)?.[1]);
    expect(megabytes * 2 ** 20).toBe(bus.connection.info?.max_payload);
  });

  test('has the room that is set aside for each stream, so that none takes the place of the commands', () => {
    const gigabytes = Number(/max_file_store: (\d+)GB/.exec(text)?.[1]);
    const set = allStreams.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    expect(set).toBeLessThanOrEqual(gigabytes * 1e9);
  });
});

test('streams, which can have the broker repeat messages past all permissions, are set up by the ledger alone', () => {
  const settingUp = serviceNames.filter((service) =>
    permissionsOf(service).publish.some((subject) => /^\$JS\.API\.STREAM\.(CREATE|UPDATE)\b/.test(subject)),
  );
  expect(settingUp).toEqual(['ledger']);
});

test('nobody comes in without a password, or with that of another service', async () => {
  const url = new URL(infrastructure.natsUrlOf('compat') ?? '');
  const { password } = url;
  for (const [user, guess] of [
    ['', ''],
    ['ledger', password],
    ['compat', 'guessed'],
  ] as const) {
    url.username = user;
    url.password = guess;
    const signal = AbortSignal.timeout(500);
    await expect(connectBus({ url: url.href, name: 'compat', logger: silentLogger, signal })).rejects.toThrow();
  }
});

const sources = new Map(serviceNames.map((service) => [service, sourcesOf(service)]));

/** All a service is made of, in one text. */
function sourcesOf(service: ServiceName): string {
  const folder = join(repository, 'services', service, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** What is asked by a function of the package that services share. */
const askedThrough: Readonly<Record<string, string>> = { abandonCreation: 'createOrAbandonPayout' };

function asksFor(service: ServiceName, contract: string): boolean {
  const shared = askedThrough[contract];
  if (shared !== undefined && sources.get(service)?.includes(`${shared}(`)) return true;
  return new RegExp(`callRpc\\(\\s*[\\w.#]+,\\s*${contract}\\b`).test(sources.get(service) ?? '');
}

function permissionsOf(service: ServiceName): BrokerPermissions {
  const file = readFileSync(join(repository, 'deploy/nats/permissions.conf'), 'utf8');
  const [, publish = '', subscribe = ''] =
    new RegExp(`^PERMISSIONS_${variableOf(service)}: \\{([^]*?)subscribe:([^]*?)^\\}`, 'm').exec(file) ?? [];
  const subjectsIn = (text: string) => [...text.matchAll(/"(.+)"/g)].map(([, subject = '']) => subject);
  return { publish: subjectsIn(publish), subscribe: subjectsIn(subscribe) };
}

function variableOf(service: ServiceName): string {
  return service.toUpperCase().replaceAll('-', '_');
}

/** The subjects the broker has refused by the time it has answered everything. */
async function refusals(bus: Bus, attempt: () => void): Promise<string[]> {
  const refused = new Set<string>();
  const statuses = bus.connection.status();
  const reading = (async () => {
    for await (const status of statuses) {
      const subject = status.type === 'error' ? /to "([^"]+)"/.exec(status.error.message)?.[1] : undefined;
      if (subject !== undefined) refused.add(subject);
    }
  })();
  attempt();
  await bus.ping();
  await bus.connection.close();
  await reading;
  return [...refused];
}

/** A subject that the pattern stands for. */
function concrete(pattern: string): string {
  return pattern
    .replace(/^command\.ledger\.\*\.\*\./, 'command.ledger.live.0.')
    .replace(/^(command\.ledger\.live\.0)\.\*\./, '$1.adjust.')
    .replaceAll('*', 'some')
    .replace(/>$/, 'some.1');
}

/** Whether everything the subject stands for is in the pattern. */
function covers(pattern: string, subject: string): boolean {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return given.length > index;
    if (given[index] === undefined || given[index] === '>') return false;
    if (token !== '*' && token !== given[index]) return false;
  }
  return given.length === wanted.length;
}
