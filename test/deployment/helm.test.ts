import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';

const helm = join(import.meta.dirname, '../../deploy/helm');
const rendered = readFileSync(join(helm, 'rendered.yaml'), 'utf8');

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: Record<string, never>;
}

interface Container {
  args: string[];
  env: { name: string; value: string }[];
  securityContext: object;
  resources: { limits: object };
  startupProbe: object;
  livenessProbe: { httpGet: object };
  readinessProbe: { httpGet: object };
}

interface PodSpec {
  containers: Container[];
  securityContext: object;
  topologySpreadConstraints: { topologyKey: string; whenUnsatisfiable: string }[];
}

const resources = parseAllDocuments(rendered)
  .map((document) => document.toJS() as Resource | null)
  .filter((resource) => resource !== null);

function find(kind: string, name: string): Resource {
  const found = resources.filter((resource) => resource.kind === kind && resource.metadata.name === `pay-${name}`);
  expect(found.length, `${kind} of ${name}`).toBe(1);
  return found[0]!;
}

function podOf(name: string): PodSpec {
  return (find('Deployment', name).spec['template'] as unknown as { spec: PodSpec }).spec;
}

test('what is looked at here was rendered from this chart', () => {
  const files = readdirSync(join(helm, 'gateway'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(file));
  const chart = `# Of the chart with sha256 ${digest.digest('hex')}`;
  const encrypted = readFileSync(join(helm, 'rendered-tls.yaml'), 'utf8');
  expect([rendered, encrypted].map((text) => text.split('\n')[0])).toEqual([chart, chart]);
});

describe.each(serviceNames)('%s', (name) => {
  test('has two replicas, never loses both to maintenance, and is asked whether it lives and can work', () => {
    expect(find('Deployment', name).spec['replicas']).toBe(2);
    expect(find('PodDisruptionBudget', name).spec).toMatchObject({ maxUnavailable: 1 });
    const [container] = podOf(name).containers;
    expect(container?.args).toEqual([`services/${name}/src/main.ts`]);
    expect(container?.livenessProbe.httpGet).toEqual({ path: '/health', port: 'internal', scheme: 'HTTP' });
    expect(container?.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'internal', scheme: 'HTTP' });
    expect(container?.startupProbe).toBeDefined();
    expect(container?.resources.limits).toHaveProperty('memory');
  });

  test('runs without rights it does not need', () => {
    const { containers, securityContext } = podOf(name);
    expect(securityContext).toMatchObject({ runAsNonRoot: true });
    expect(containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('reaches the world only if it calls providers or receivers', () => {
    const { policyTypes, egress } = find('NetworkPolicy', name).spec as unknown as {
      policyTypes: string[];
      egress: object[];
    };
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const reachesWorld = JSON.stringify(egress).includes('0.0.0.0/0');
    expect(reachesWorld).toBe(['deposits', 'payouts', 'webhooks', 'reconciler'].includes(name));
  });

  test('keeps three copies of its streams', () => {
    expect(podOf(name).containers[0]?.env).toContainEqual({ name: 'STREAM_REPLICAS', value: '3' });
  });
});

test('the standby of the ledger is never on the node of its leader', () => {
  expect(podOf('ledger').topologySpreadConstraints[0]).toMatchObject({
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
  });
});

test('the ledger is told of a source of rates, of none unless there is one', () => {
  expect(podOf('ledger').containers[0]?.env).toContainEqual({ name: 'RATE_SOURCE', value: '' });
  expect(podOf('ledger').containers[0]?.env).toContainEqual({ name: 'LEDGER_PROVIDERS', value: '' });
});

test('the gateway has the address of traces, and no other service', () => {
  const having = serviceNames.filter((name) =>
    podOf(name).containers[0]?.env.some(({ name: set }) => set === 'TRACE_URL'),
  );
  expect(having).toEqual(['api-gateway']);
  expect(podOf('api-gateway').containers[0]?.env).toContainEqual({
    name: 'TRACE_URL',
    value: 'https://traces.example.com/trace/{trace_id}',
  });
});

test('how much each provider is asked can be set', () => {
  const questionsOf = (name: string) =>
    (podOf(name).containers[0]?.env ?? []).filter((each) => /^(PROVIDER|PAYOUT)_.*(_SEC|_PER_MINUTE)$/.test(each.name));
  expect(questionsOf('deposits')).toEqual([
    { name: 'PROVIDER_CALLS_PER_MINUTE', value: '120' },
    { name: 'PROVIDER_POLL_SEC', value: '30' },
  ]);
  expect(questionsOf('payouts')).toEqual([
    { name: 'PROVIDER_POLL_SEC', value: '30' },
    { name: 'PAYOUT_RECHECKS_PER_MINUTE', value: '60' },
  ]);
});

test('the operators’ listener is reached by the pods that are named for it, and by no other', () => {
  const { ingress } = find('NetworkPolicy', 'api-gateway').spec as unknown as {
    ingress: { from?: object[]; ports: { port: number }[] }[];
  };
  const rules = ingress.filter(({ ports }) => ports.some(({ port }) => port === 9080));
  expect(rules).toEqual([
    { from: [{ podSelector: { matchLabels: { 'gateway.operators': 'true' } } }], ports: [{ port: 9080 }] },
  ]);
});

test('who calls the world reaches none of the networks pods, nodes and metadata are on', () => {
  for (const name of ['deposits', 'payouts', 'webhooks', 'reconciler']) {
    expect(JSON.stringify(find('NetworkPolicy', name).spec['egress'])).toContain(
      '"except":["10.0.0.0/8","100.64.0.0/10","172.16.0.0/12","192.168.0.0/16","169.254.0.0/16","168.63.129.16/32"]',
    );
  }
  expect(podOf('webhooks').containers[0]?.env.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'WEBHOOK_FORBIDDEN_RANGES',
      'WEBHOOK_FORBIDDEN_HOSTS',
      'WEBHOOK_DNS_SERVERS',
      'EVENT_LOG_DAYS_LIVE',
      'EVENT_LOG_DAYS_TEST',
      'PUBLIC_URL',
    ]),
  );
});

test('only the gateway calls compat, and the public ingress does not reach the operators', () => {
  expect(JSON.stringify(find('NetworkPolicy', 'compat').spec['ingress'])).toContain('api-gateway');
  expect(find('Service', 'api-gateway').spec['ports']).toEqual([{ name: 'http', port: 8080, targetPort: 'http' }]);
  expect(find('Service', 'operators').spec['ports']).toEqual([{ name: 'ops', port: 9080, targetPort: 'ops' }]);
});
