import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';

const repository = join(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');

/** The settings of each service, and those of every service, as the page of configuration has them. */
function settingsByService(): Map<string, string[]> {
  const sections = textOf('docs/generated/configuration.md').split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => [
      section.split('\n')[0]!,
      [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!),
    ]),
  );
}
const settings = settingsByService();
/** Settings that the page calls secret. */
const secrets = new Set(
  [...textOf('docs/generated/configuration.md').matchAll(/^\| `(\w+)` \|(?:(?:\\\||[^|\n])*\|){3} yes \|/gm)].map(
    ([, name]) => name!,
  ),
);

/** What the image or the deployment decides, and no variable. */
const decidedByCompose = new Set([
  ...['HOST', 'CONSOLE_HOST', 'INTERNAL_HOST', 'INTERNAL_PORT', 'NATS_TLS_FIRST'],
  // The image has the consoles, as they were built with it.
  ...['OPERATOR_CONSOLE_FILES', 'CONSOLE_FILES'],
  // There is one broker.
  'STREAM_REPLICAS',
  // Containers have no file system to write to.
  'TRACE_DIRECTORY',
  // Of a developer's machine alone.
  'DEV_LOGIN',
  // The gateway and the facade have the same paths by default.
  'COMPAT_PREFIXES',
]);

interface ComposeFile {
  readonly services?: Record<string, { readonly environment?: Record<string, string> }>;
}

/** With every file of compose that an operator may add. */
function passedByCompose(service: string): Record<string, string> {
  const overrides = readdirSync(join(repository, 'deploy/docker')).filter((file) => file.endsWith('.yml'));
  const files = ['docker-compose.yml', ...overrides.map((file) => `deploy/docker/${file}`)];
  const parsed = files.map((file) => parse(textOf(file), { merge: true }) as ComposeFile);
  return Object.assign({}, ...parsed.map((file) => file.services?.[service]?.environment ?? {})) as Record<
    string,
    string
  >;
}

describe.each(serviceNames)('%s', (service) => {
  test('has each setting of its page with docker compose', () => {
    const wanted = [...(settings.get('Every service') ?? []), ...(settings.get(service) ?? [])];
    expect(wanted.length).toBeGreaterThan(10);
    const passed = passedByCompose(service);
    expect(wanted.filter((name) => !(name in passed) && !decidedByCompose.has(name))).toEqual([]);
  });

  test('has no variable with docker compose that it does not read', () => {
    const known = [...(settings.get('Every service') ?? []), ...(settings.get(service) ?? [])];
    const runtime = ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
    expect(Object.keys(passedByCompose(service)).filter((name) => ![...known, ...runtime].includes(name))).toEqual([]);
  });

  test('takes every other setting on Kubernetes from its Secret, whose values the chart does not hide with empty ones', () => {
    const documents = parseAllDocuments(textOf('deploy/helm/rendered.yaml')).map((document) => document.toJS() as Pod);
    const pod = documents.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === `pay-${service}`);
    const [container] = pod!.spec.template.spec.containers;
    expect(container?.envFrom).toEqual([{ secretRef: { name: `pay-${service}` } }]);
    expect(container?.env.filter(({ name }) => secrets.has(name) || name.startsWith('ANCHOR_'))).toEqual([]);
  });
});

test('the page says of each setting whether it is secret', () => {
  expect([...secrets].toSorted()).toEqual([
    ...[
      'ANCHOR_BUCKET_SECRET_ACCESS_KEY',
      'BUS_SECRETS_KEY',
      'BUS_SECRETS_KEYS_PREVIOUS',
      'CONSOLE_ISSUER_CLIENT_SECRET',
    ],
    ...['DATABASE_URL', 'NATS_URL', 'OPERATOR_ISSUER_CLIENT_SECRET', 'OPS_OPERATORS', 'PROVIDERS'],
    ...['RECONCILER_PROVIDERS', 'SECRETS_KEY', 'SECRETS_KEYS_PREVIOUS', 'TREASURY_VENUES'],
  ]);
  // The key that the signatures of a witness are checked with is public.
  const named = [...settings.entries()].flatMap(([service, names]) => (service === 'psp-simulator' ? [] : names));
  const secretByName = named.filter(
    (name) => /SECRET|TOKEN|PASSWORD|_KEY$/.test(name) && name !== 'ANCHOR_WITNESS_KEY',
  );
  expect(secretByName.filter((name) => !secrets.has(name))).toEqual([]);
});

interface Pod {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: { readonly env: { name: string }[]; readonly envFrom: object[] }[] };
    };
  };
}
