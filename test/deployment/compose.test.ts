import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts';

const repository = join(import.meta.dirname, '../..');

interface ComposeService {
  image: string;
  build?: { dockerfile: string; target: string };
  command: string[];
  environment?: Record<string, string>;
  profiles?: string[];
  networks: string[];
  ports?: string[];
  volumes?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
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

test('everything has bounds and comes back after a crash', () => {
  for (const [name, { mem_limit, pids_limit, restart }] of services) {
    expect({ name, bounded: mem_limit !== undefined && pids_limit !== undefined, restart }).toEqual({
      name,
      bounded: true,
      restart: 'unless-stopped',
    });
  }
});

test('only the public door is published beyond this machine', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => ({ name, port })));
  const open = published.filter(({ port }) => !port.startsWith('127.0.0.1:'));
  expect(open).toEqual([{ name: 'api-gateway', port: '${PORT:-8080}:8080' }]);
});

test('database and broker are on networks nothing outside reaches', () => {
  for (const name of ['postgres', 'nats', 'ledger', 'compat']) {
    const networks = compose.services[name]?.networks ?? [];
    expect(networks.every((network) => compose.networks[network]?.internal === true)).toBe(true);
  }
});

test('the ledger is told of a source of rates, and reaches it by a network nobody else is on', () => {
  expect(compose.services['ledger']?.environment).toMatchObject({
    RATE_SOURCE: '${RATE_SOURCE:-}',
    LEDGER_PROVIDERS: '${LEDGER_PROVIDERS:-}',
  });
  const override = parse(readFileSync(join(repository, 'deploy/docker/rates.yml'), 'utf8')) as typeof compose;
  expect(override.services).toEqual({ ledger: { networks: ['rates'] } });
  expect(services.filter(([, { networks }]) => networks.includes('rates'))).toEqual([]);
});

test('images are pinned, and the tests in containers use the same ones', () => {
  const foreign = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
  expect(foreign.filter((image) => !/:v?\d+[\w.-]*$/.test(image))).toEqual([]);
  const tests = readFileSync(join(repository, 'test/container-infrastructure.ts'), 'utf8');
  for (const name of ['postgres', 'nats']) expect(tests).toContain(`'${compose.services[name]?.image}'`);
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
  const told = ours.filter(([, { environment }]) => environment?.['BUS_SECRETS_KEY'] !== undefined);
  expect(told.map(([name]) => name).sort()).toEqual(['api-gateway', 'compat', 'webhooks']);
  for (const [name, { environment }] of told) {
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
