import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

// The collector, Tempo, Loki and Grafana themselves have not read these files: see deploy/README.md. Held here is what
// their documentation says of the members we use, and that the parts find each other.

const deploy = join(import.meta.dirname, '../../deploy');
const read = (file: string): unknown => parse(readFileSync(join(deploy, file), 'utf8'), { merge: true });

const duration = z.string().regex(/^\d+(ms|s|m|h)$/);
const hostPort = z.string().regex(/^[\w.-]+:\d+$/);

const operator = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('json_parser'),
    id: z.string(),
    parse_from: z.string().optional(),
    if: z.string().optional(),
    on_error: z.enum(['drop', 'drop_quiet', 'send', 'send_quiet']).optional(),
    timestamp: z
      .strictObject({ parse_from: z.string(), layout_type: z.literal('gotime'), layout: z.string() })
      .optional(),
  }),
  z.strictObject({ type: z.literal('move'), from: z.string(), to: z.string(), if: z.string().optional() }),
]);

const pipeline = z.strictObject({
  receivers: z.array(z.string()).min(1),
  processors: z.array(z.string()),
  exporters: z.array(z.string()).min(1),
});

const collectorSchema = z.strictObject({
  receivers: z.strictObject({
    otlp: z.strictObject({ protocols: z.strictObject({ http: z.strictObject({ endpoint: hostPort }) }) }),
    filelog: z.strictObject({
      include: z.array(z.string()).min(1),
      start_at: z.enum(['beginning', 'end']),
      operators: z.array(operator),
    }),
  }),
  processors: z.strictObject({
    memory_limiter: z.strictObject({ check_interval: duration, limit_mib: z.int().positive() }),
    batch: z.null().or(z.strictObject({})),
  }),
  exporters: z.strictObject({
    'otlp/tempo': z.strictObject({ endpoint: hostPort, tls: z.strictObject({ insecure: z.boolean() }) }),
    'otlphttp/loki': z.strictObject({ endpoint: z.url() }),
  }),
  service: z.strictObject({ pipelines: z.strictObject({ traces: pipeline, logs: pipeline }) }),
});

const lokiSchema = z.strictObject({
  auth_enabled: z.literal(false),
  analytics: z.strictObject({ reporting_enabled: z.literal(false) }),
  server: z.strictObject({ http_listen_port: z.int() }),
  common: z.strictObject({
    path_prefix: z.string(),
    replication_factor: z.literal(1),
    ring: z.strictObject({ kvstore: z.strictObject({ store: z.literal('inmemory') }) }),
  }),
  schema_config: z.strictObject({
    configs: z.array(
      z.strictObject({
        from: z.string().or(z.date()),
        // Structured metadata, which trace ids are, takes this store in this schema with an index a day.
        store: z.literal('tsdb'),
        object_store: z.literal('filesystem'),
        schema: z.literal('v13'),
        index: z.strictObject({ prefix: z.string(), period: z.literal('24h') }),
      }),
    ),
  }),
  storage_config: z.strictObject({ filesystem: z.strictObject({ directory: z.string() }) }),
  limits_config: z.strictObject({ retention_period: duration, allow_structured_metadata: z.literal(true) }),
  // Retention is refused without a store for what is to be deleted.
  compactor: z.strictObject({ retention_enabled: z.literal(true), delete_request_store: z.literal('filesystem') }),
});

const tempoSchema = z.strictObject({
  usage_report: z.strictObject({ reporting_enabled: z.literal(false) }),
  server: z.strictObject({ http_listen_port: z.int() }),
  distributor: z.strictObject({
    receivers: z.strictObject({
      otlp: z.strictObject({ protocols: z.strictObject({ grpc: z.strictObject({ endpoint: hostPort }) }) }),
    }),
  }),
  compactor: z.strictObject({ compaction: z.strictObject({ block_retention: duration }) }),
  storage: z.strictObject({
    trace: z.strictObject({
      backend: z.literal('local'),
      wal: z.strictObject({ path: z.string() }),
      local: z.strictObject({ path: z.string() }),
    }),
  }),
});

const collector = collectorSchema.parse(read('otel/collector.yml'));
const loki = lokiSchema.parse(read('loki/loki.yml'));
const tempo = tempoSchema.parse(read('tempo/tempo.yml'));
const { datasources } = read('grafana/provisioning/datasources/datasources.yml') as {
  datasources: { uid: string; type: string; url: string; jsonData?: { derivedFields: { datasourceUid: string }[] } }[];
};
const compose = read('../docker-compose.yml') as {
  services: Record<string, { networks: string[]; volumes?: string[]; profiles?: string[]; command?: string[] }>;
};

const portOf = (address: string) => Number(address.split(':').at(-1));
const volumesOf = (service: string) => compose.services[service]?.volumes ?? [];

test('every part of the collector is used, and every part that is used is there', () => {
  const pipelines = Object.values(collector.service.pipelines);
  for (const kind of ['receivers', 'processors', 'exporters'] as const) {
    const used = new Set(pipelines.flatMap((each) => each[kind]));
    expect([...used].sort()).toEqual(Object.keys(collector[kind]).sort());
  }
});

test('a log line keeps its text, its service and its time on the way to Loki', () => {
  const { operators, include } = collector.receivers.filelog;
  expect(operators.map(({ type }) => type)).toEqual(['json_parser', 'move', 'json_parser', 'move']);
  const mounted = volumesOf('otel-collector').map((volume) => volume.split(':')[1] ?? '');
  expect(include.every((path) => mounted.some((folder) => path.startsWith(`${folder}/`)))).toBe(true);
});

describe('what is sent arrives', () => {
  test.each([
    [
      'spans at the collector',
      'otel-collector:4318',
      `otel-collector:${portOf(collector.receivers.otlp.protocols.http.endpoint)}`,
    ],
    [
      'spans at Tempo',
      collector.exporters['otlp/tempo'].endpoint,
      `tempo:${portOf(tempo.distributor.receivers.otlp.protocols.grpc.endpoint)}`,
    ],
    [
      'log lines at Loki',
      collector.exporters['otlphttp/loki'].endpoint,
      `http://loki:${loki.server.http_listen_port}/otlp`,
    ],
    [
      'queries at Tempo',
      datasources.find(({ uid }) => uid === 'tempo')?.url,
      `http://tempo:${tempo.server.http_listen_port}`,
    ],
    [
      'queries at Loki',
      datasources.find(({ uid }) => uid === 'loki')?.url,
      `http://loki:${loki.server.http_listen_port}`,
    ],
    ['queries at Prometheus', datasources.find(({ uid }) => uid === 'prometheus')?.url, 'http://prometheus:9090'],
  ])('%s', (_what, to, at) => {
    expect(to).toBe(at);
  });

  test('the services are told of the collector by the generator of secrets', () => {
    expect(readFileSync(join(deploy, 'secrets.mjs'), 'utf8')).toContain("'http://otel-collector:4318'");
  });
});

test('whatever is kept is kept on a volume, and every configuration is mounted where it is looked for', () => {
  const kept = [
    ...[tempo.storage.trace.wal.path, tempo.storage.trace.local.path].map((path) => ['tempo', path] as const),
    ...[loki.common.path_prefix, loki.storage_config.filesystem.directory].map((path) => ['loki', path] as const),
  ];
  for (const [service, path] of kept) {
    const [volume] = volumesOf(service).filter((each) => each.startsWith(`${service}:`));
    expect(`${path}/`.startsWith(`${volume?.split(':')[1]}/`), `${service} ${path}`).toBe(true);
  }
  for (const service of ['otel-collector', 'tempo', 'loki', 'prometheus']) {
    const file = compose.services[service]?.command?.[0]?.split('=')[1] ?? '';
    const mounts = volumesOf(service).map((volume) => volume.split(':')[1] ?? '');
    expect(
      mounts.some((mount) => `${file}/`.startsWith(`${mount}/`)),
      `${service} ${file}`,
    ).toBe(true);
    expect(compose.services[service]).toMatchObject({ profiles: ['observability'], networks: ['telemetry'] });
  }
});

test('dashboards and links ask sources that exist', () => {
  const known = datasources.map(({ uid }) => uid);
  const folder = join(deploy, 'grafana/dashboards');
  const panels = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const asked = panels.flatMap((text) => [...text.matchAll(/"uid": "(\w+)"/g)].map(([, uid]) => uid ?? ''));
  const linked = datasources
    .flatMap(({ jsonData }) => jsonData?.derivedFields ?? [])
    .map((field) => field.datasourceUid);
  const titles = panels.map((text) => (JSON.parse(text) as { uid: string }).uid);
  expect(known.length).toBe(3);
  expect([...asked, ...linked].filter((uid) => !known.includes(uid) && !titles.includes(uid))).toEqual([]);
});
