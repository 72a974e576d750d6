import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';
import { natsBinary } from '@gateway/local-stack';

const repository = join(import.meta.dirname, '../..');
const deploy = join(repository, 'deploy');
const temporary = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const envFile = join(temporary, '.env');
const made = spawnSync(process.execPath, [join(deploy, 'secrets.mjs'), '--file', envFile, '--with', 'tls']);
const ours = [...serviceNames, 'psp-simulator'];

interface Part {
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly volumes?: string[];
}
const overlay = parse(readFileSync(join(deploy, 'docker/tls.yml'), 'utf8')) as { services: Record<string, Part> };
const compose = parse(readFileSync(join(repository, 'docker-compose.yml'), 'utf8'), { merge: true }) as typeof overlay;

test('one setting makes the certificates and names the file of compose that uses them', () => {
  expect(made.status).toBe(0);
  const env = readFileSync(envFile, 'utf8');
  expect(env).toContain('\nCOMPOSE_FILE=docker-compose.yml:deploy/docker/tls.yml\n');
  expect(env).toContain(`\nINTERNAL_TLS_FILES=${join(temporary, '.tls')}\n`);
  expect(env).not.toMatch(/^COMPOSE_PROFILES=/m);
  expect(statSync(join(temporary, '.tls')).mode & 0o777).toBe(0o700);
  expect(statSync(join(temporary, '.tls/authority/key.pem')).mode & 0o777).toBe(0o600);
});

describe.each([...ours, 'nats', 'postgres', 'prometheus'])('%s', (name) => {
  const { command, environment, volumes = [] } = overlay.services[name] ?? {};

  test('has a certificate of its own by the deployment’s authority, for its name and for more than a year', () => {
    const read = (file: string) => new X509Certificate(readFileSync(join(temporary, '.tls', file)));
    const [cert, authority] = [read(`${name}/cert.pem`), read(`${name}/ca.pem`)];
    expect(authority.raw).toEqual(read('authority/ca.pem').raw);
    expect(authority.ca).toBe(true);
    expect(cert.ca).toBe(false);
    expect(cert.verify(authority.publicKey)).toBe(true);
    expect([cert.checkHost(name), cert.checkIP('127.0.0.1'), cert.checkHost('example.com')]).toEqual([
      name,
      '127.0.0.1',
      undefined,
    ]);
    expect(Date.parse(cert.validTo) - Date.now()).toBeGreaterThan(365 * 86_400_000);
  });

  test('is given it, and nobody else’s', () => {
    const mounted = volumes.filter((volume) => volume.includes('INTERNAL_TLS_FILES'));
    expect(mounted).toEqual([`\${INTERNAL_TLS_FILES:?}/${name}:/run/internal-tls:ro`]);
    if (!ours.includes(name)) return;
    expect(environment).toMatchObject({ INTERNAL_TLS_DIR: '/run/internal-tls' });
    expect(command).toBeUndefined();
  });
});

test('certificates with time left stay, and are made anew when they are asked for', () => {
  const script = join(deploy, 'certificates.mjs');
  const run = (...options: string[]) => {
    spawnSync(process.execPath, [script, '--directory', join(temporary, '.tls'), ...options]);
    return readFileSync(join(temporary, '.tls/ledger/cert.pem'), 'utf8');
  };
  const before = readFileSync(join(temporary, '.tls/ledger/cert.pem'), 'utf8');
  expect(run()).toBe(before);
  expect(run('--renew')).not.toBe(before);
});

test('the database takes TLS alone over the network, and runs as it does without it', () => {
  const rules = readFileSync(join(deploy, 'postgres/pg_hba_tls.conf'), 'utf8').split('\n');
  expect(rules.filter((rule) => rule !== '' && !rule.startsWith('#')).map((rule) => rule.split(/\s+/))).toEqual([
    ['local', 'all', 'all', 'trust'],
    ['hostssl', 'all', 'all', 'all', 'scram-sha-256'],
  ]);
  const command = overlay.services['postgres']?.command ?? [];
  expect(command).toEqual(expect.arrayContaining(['-cssl=on', '-chba_file=/etc/postgresql/pg_hba.conf']));
  expect(command).toEqual(expect.arrayContaining(compose.services['postgres']?.command ?? ['none']));
});

test('the broker asks for TLS before anything else, and a server accepts its configuration', async () => {
  const text = readFileSync(join(deploy, 'nats/nats-tls.conf'), 'utf8');
  expect(text).toMatch(/^ {2}handshake_first: true$/m);
  const folder = join(temporary, 'nats');
  cpSync(join(deploy, 'nats'), folder, { recursive: true });
  // Servers before 2.10.4, on which the tests may run, do not know the one member.
  const file = join(folder, 'nats-tls.conf');
  const certificates = text.replaceAll('/run/internal-tls', join(temporary, '.tls/nats'));
  writeFileSync(file, certificates.replace('handshake_first: true', ''));
  const passwords = serviceNames.map((name) => [`NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`, 's-x']);
  const binary = await natsBinary(() => undefined);
  const { status, stderr } = spawnSync(binary, ['-t', '-c', file], {
    env: Object.fromEntries(passwords),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('is valid') as string });
});

test('Prometheus reads the same of the services as without TLS', () => {
  interface Config {
    scrape_configs: Record<string, unknown>[];
  }
  const read = (file: string) => parse(readFileSync(join(deploy, 'prometheus', file), 'utf8')) as Config;
  const [plain, encrypted] = [read('prometheus.yml'), read('prometheus-tls.yml')];
  const tls = { scheme: 'https', tls_config: { ca_file: '/run/internal-tls/ca.pem' } };
  expect(encrypted).toEqual({ ...plain, scrape_configs: plain.scrape_configs.map((each) => ({ ...each, ...tls })) });
});

test('in the chart it is one value: each pod has its own certificate, is asked by TLS, and asks compat by it', () => {
  const rendered = readFileSync(join(deploy, 'helm/rendered-tls.yaml'), 'utf8');
  const resources = parseAllDocuments(rendered).map((document) => document.toJS() as Record<string, never> | null);
  const deployments = resources.filter((resource) => resource?.['kind'] === 'Deployment');
  expect(deployments).toHaveLength(serviceNames.length);
  for (const name of serviceNames) {
    const text = JSON.stringify(
      deployments.find((each) => JSON.stringify(each?.['metadata']).includes(`"pay-${name}"`)),
    );
    expect(text).toContain('{"name":"INTERNAL_TLS_DIR","value":"/run/internal-tls"}');
    expect(text).toContain(`"secretName":"pay-${name}-tls"`);
    expect(text.match(/"scheme":"HTTPS"/g)).toHaveLength(3);
    expect(text).not.toContain('http://pay-');
  }
});
