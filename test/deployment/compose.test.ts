import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';
import { natsVersion } from '@gateway/local-stack';

const repository = join(import.meta.dirname, '../..');

interface ComposeService {
  image: string;
  build?: { dockerfile: string; target: string };
  command: string[];
  environment?: Record<string, string>;
  profiles?: string[];
  /** By name, or with the aliases it has there. */
  networks?: string[] | Record<string, { aliases?: string[] }>;
  network_mode?: string;
  ports?: string[];
  volumes?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  restart?: string;
  depends_on?: Record<string, { condition: string }>;
}

const text = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);

function networksOf({ networks = [] }: ComposeService): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

const directory = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
const envFile = join(directory, '.env');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function makeSecrets(...options: string[]): Record<string, string> {
  const script = join(repository, 'deploy/secrets.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--file', envFile, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const lines = readFileSync(envFile, 'utf8').split('\n');
  return Object.fromEntries(
    lines.filter((line) => /^\w+=/.test(line)).map((line) => [line.split('=')[0] ?? '', line.replace(/^\w+=/, '')]),
  );
}

test('every service of the product is deployed, and the simulator only where its profile is on', () => {
  const names = ours.map(([name]) => name).sort();
  expect(names).toEqual([...serviceNames, 'psp-simulator'].sort());
  expect(ours.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name)).toEqual(['psp-simulator']);
});

describe.each(ours)('%s', (name, service) => {
  test('runs its own sources without rights it does not need', () => {
    expect(service.command).toEqual([`services/${name}/src/main.ts`]);
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.user).toBeUndefined();
  });

  test('starts when its servers are healthy', () => {
    const conditions = Object.entries(service.depends_on ?? {});
    expect(conditions.map(([server]) => server)).toContain('postgres');
    expect(conditions.every(([, { condition }]) => condition === 'service_healthy')).toBe(true);
  });

  test('is told no secret of another service', () => {
    const secrets = JSON.stringify(service.environment).match(/\$\{(DATABASE_PASSWORD|NATS_PASSWORD)_(\w+)/g) ?? [];
    const owner = name.toUpperCase().replaceAll('-', '_');
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.every((secret) => secret.endsWith(`PASSWORD_${owner}`))).toBe(true);
  });
});

test('everything has bounds and comes back after a crash, but for what is done once', () => {
  for (const [name, { mem_limit, pids_limit, restart }] of services) {
    expect({ name, bounded: mem_limit !== undefined && pids_limit !== undefined, restart }).toEqual({
      name,
      bounded: true,
      restart: name === 'nats-volume' ? 'no' : 'unless-stopped',
    });
  }
});

test('nothing, ours or not, has a file system to write to, a capability or a user it does not need', () => {
  for (const [name, service] of services) {
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
  }
  const capable = services.filter(([, { cap_add }]) => cap_add !== undefined);
  expect(capable.map(([name, { cap_add }]) => [name, cap_add])).toEqual([
    ['nats-volume', ['CHOWN', 'DAC_OVERRIDE']],
    ['otel-collector', ['DAC_READ_SEARCH']],
  ]);
  const root = services.filter(
    ([, { build, user }]) => build === undefined && (user === undefined || user.startsWith('0')),
  );
  expect(root.map(([name]) => name)).toEqual(['nats-volume', 'otel-collector']);
});

test('the operators’ listener is on a network of its own, which nothing but the gateway is on', () => {
  const on = services.filter(([, service]) => networksOf(service).includes('admin'));
  expect(on.map(([name]) => name)).toEqual(['api-gateway']);
  const gateway = compose.services['api-gateway'];
  expect(gateway?.environment?.['OPS_HOST']).toBe('gateway.admin');
  expect(gateway?.networks).toMatchObject({ admin: { aliases: ['gateway.admin'] } });
  // What arrives at a published port goes to the first of these by name.
  const open = networksOf(gateway!).filter((name) => compose.networks[name]?.internal !== true);
  expect(open.sort()[0]).toBe('admin');
});

test('only the public door is published beyond this machine', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => ({ name, port })));
  const open = published.filter(({ port }) => !port.startsWith('127.0.0.1:'));
  expect(open).toEqual([{ name: 'api-gateway', port: '${PORT:-8080}:8080' }]);
});

test('database and broker are on networks nothing outside reaches', () => {
  for (const name of ['postgres', 'nats', 'ledger', 'compat']) {
    const networks = networksOf(compose.services[name]!);
    expect(networks.every((network) => compose.networks[network]?.internal === true)).toBe(true);
  }
});

test('networks and names of the deployment itself can be named as what no webhook is sent to', () => {
  expect(compose.services['webhooks']?.environment).toMatchObject({
    WEBHOOK_FORBIDDEN_RANGES: '${WEBHOOK_FORBIDDEN_RANGES:-}',
    WEBHOOK_FORBIDDEN_HOSTS: '${WEBHOOK_FORBIDDEN_HOSTS:-}',
    WEBHOOK_DNS_SERVERS: '${WEBHOOK_DNS_SERVERS:-}',
    PUBLIC_URL: compose.services['api-gateway']?.environment?.['PUBLIC_URL'],
    EVENT_LOG_DAYS_LIVE: '${EVENT_LOG_DAYS_LIVE:-30}',
    EVENT_LOG_DAYS_TEST: '${EVENT_LOG_DAYS_TEST:-7}',
  });
});

test('the ledger is told of a source of rates, and reaches it by a network nobody else is on', () => {
  expect(compose.services['ledger']?.environment).toMatchObject({
    RATE_SOURCE: '${RATE_SOURCE:-}',
    TREASURY_VENUES: '${TREASURY_VENUES:-}',
    TREASURY_UNCOVERED_MAX: '${TREASURY_UNCOVERED_MAX:-}',
    LEDGER_PROVIDERS: '${LEDGER_PROVIDERS:-}',
  });
  const override = parse(readFileSync(join(repository, 'deploy/docker/rates.yml'), 'utf8')) as typeof compose;
  expect(override.services).toEqual({ ledger: { networks: ['rates'] } });
  expect(services.filter(([, service]) => networksOf(service).includes('rates'))).toEqual([]);
});

test('every setting of the anchors reaches the ledger, with a network nobody else is on', () => {
  const override = parse(readFileSync(join(repository, 'deploy/docker/anchors.yml'), 'utf8')) as typeof compose;
  const documented = readFileSync(join(repository, 'docs/generated/configuration.md'), 'utf8');
  const settings = [...documented.matchAll(/`(ANCHOR_[A-Z_]+)`/g)].map(([, name]) => name!);
  const environment = Object.fromEntries(settings.map((name) => [name, `\${${name}:-}`]));
  expect(settings).not.toHaveLength(0);
  expect(override.services).toEqual({ ledger: { environment, networks: ['anchors'] } });
  expect(services.filter(([, service]) => networksOf(service).includes('anchors'))).toEqual([]);
});

test('a directory of secrets reaches the services that are configured with providers, read-only, and no other', () => {
  const path = join(repository, 'deploy/docker/provider-secrets.yml');
  const override = parse(readFileSync(path, 'utf8')) as { services: Record<string, { volumes: string[] }> };
  const configured = services.filter(([, { environment }]) => environment?.['PROVIDERS'] !== undefined);
  const expected = configured.map(([name]) => [name, { volumes: ['${PROVIDER_SECRETS:?}:/run/provider-secrets:ro'] }]);
  expect(override.services).toEqual(Object.fromEntries(expected));
});

test('how much each provider is asked can be set', () => {
  const questions = { PROVIDER_POLL_SEC: '${PROVIDER_POLL_SEC:-30}' };
  expect(compose.services['deposits']?.environment).toMatchObject({
    ...questions,
    PROVIDER_CALLS_PER_MINUTE: '${PROVIDER_CALLS_PER_MINUTE:-120}',
  });
  expect(compose.services['payouts']?.environment).toMatchObject({
    ...questions,
    PAYOUT_RECHECKS_PER_MINUTE: '${PAYOUT_RECHECKS_PER_MINUTE:-60}',
  });
  expect(compose.services['reconciler']?.environment).toMatchObject({
    STATEMENT_CALLS_PER_MINUTE: '${STATEMENT_CALLS_PER_MINUTE:-60}',
  });
});

test('images are pinned to versions, each can be pinned to a digest, and the tests in containers use the same ones', () => {
  const foreign = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
  expect(foreign.filter((image) => !/^\$\{[A-Z_]+_IMAGE:-[\w./-]+:v?\d+[\w.-]*\}$/.test(image))).toEqual([]);
  const node = [...text.matchAll(/\$\{NODE_IMAGE:-([^}]+)\}/g)].map(([, image]) => image);
  const dockerfile = readFileSync(join(repository, 'deploy/docker/Dockerfile'), 'utf8');
  expect(dockerfile).toContain(`ARG NODE_IMAGE=${node[0]}\n`);
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
    '${NODE_IMAGE}',
    '${NODE_IMAGE}',
    '${NODE_IMAGE}',
    'gateway',
  ]);
  const tests = readFileSync(join(repository, 'test/container-infrastructure.ts'), 'utf8');
  expect(tests).toContain(`'${/:-(.+)\}$/.exec(compose.services.postgres?.image ?? '')?.[1]}'`);
});

test('the broker that is shipped is the one that is tested: compose and the pages name its version', () => {
  const images = [...text.matchAll(/\$\{NATS_IMAGE:-([^}]+)\}/g)].map(([, image]) => image);
  expect(new Set(images)).toEqual(new Set([`nats:${natsVersion}-alpine`]));
  for (const page of ['README.md', 'docs/operations/topology.md'])
    expect(readFileSync(join(repository, page), 'utf8')).toContain(`nats-server ${natsVersion}`);
});

test('the generator makes every variable compose insists on, once, for its owner alone', () => {
  const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '');
  const made = makeSecrets();
  expect(required.filter((name) => !made[name])).toEqual([]);
  expect(new Set(Object.values(made)).size).toBe(Object.keys(made).length);
  expect(statSync(envFile).mode & 0o777).toBe(0o600);
  expect(makeSecrets()).toEqual(made);
});

test('switching a profile on keeps the secrets', () => {
  const before = makeSecrets();
  const after = makeSecrets('--with', 'simulator');
  expect(after).toMatchObject(before);
  expect(after).toMatchObject({ COMPOSE_PROFILES: 'simulator', SIMULATOR_URL: 'http://psp-simulator:9090' });
});

test('a renewed key is another one, and the last one still opens what it sealed', () => {
  const before = makeSecrets();
  const after = makeSecrets('--renew', 'OPS_TOKEN_1,COMPAT_SECRETS_KEY');
  expect(after['OPS_TOKEN_1']).not.toBe(before['OPS_TOKEN_1']);
  expect(after['COMPAT_SECRETS_KEY']).not.toBe(before['COMPAT_SECRETS_KEY']);
  expect(after['COMPAT_SECRETS_KEYS_PREVIOUS']).toBe(before['COMPAT_SECRETS_KEY']);
  const again = makeSecrets('--renew', 'COMPAT_SECRETS_KEY');
  const previous = `${after['COMPAT_SECRETS_KEY']},${before['COMPAT_SECRETS_KEY']}`;
  expect(again).toMatchObject({
    ...after,
    COMPAT_SECRETS_KEY: again['COMPAT_SECRETS_KEY'],
    COMPAT_SECRETS_KEYS_PREVIOUS: previous,
  });
  expect(() => makeSecrets('--renew', 'NO_SUCH_KEY')).toThrow('no such secret: NO_SUCH_KEY');
});

test('whoever seals under a key is told the previous ones too', () => {
  for (const [name, { environment }] of ours) {
    const [, owner] = /^\$\{(\w+)_SECRETS_KEY:/.exec(environment?.['SECRETS_KEY'] ?? '') ?? [];
    const previous = owner && `\${${owner}_SECRETS_KEYS_PREVIOUS:-}`;
    expect(environment?.['SECRETS_KEYS_PREVIOUS'], name).toBe(previous);
  }
});

test('who tells others secrets over the bus has the same key as they, and nobody else has it', () => {
  const holders = ours.filter(([, { environment }]) => environment?.['BUS_SECRETS_KEY'] !== undefined);
  expect(holders.map(([name]) => name).sort()).toEqual(['api-gateway', 'compat', 'identity', 'webhooks']);
  for (const [name, { environment }] of holders) {
    const { BUS_SECRETS_KEY: key, BUS_SECRETS_KEYS_PREVIOUS: previous } = environment ?? {};
    expect({ key, previous }, name).toEqual({
      key: '${BUS_SECRETS_KEY:?}',
      previous: '${BUS_SECRETS_KEYS_PREVIOUS:-}',
    });
  }
});

test('every directory a service needs is in its image', () => {
  const dockerfile = readFileSync(join(repository, 'deploy/docker/Dockerfile'), 'utf8');
  for (const name of [...serviceNames, 'psp-simulator']) {
    expect(dockerfile).toContain(`COPY services/${name}/package.json services/${name}/`);
    expect(dockerfile).toContain(`COPY services/${name} services/${name}`);
  }
  expect(dockerfile).toMatch(/^USER node$/m);
});
