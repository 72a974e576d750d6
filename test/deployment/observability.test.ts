import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { promtool, startPrometheus, type RunningPrometheus } from './prometheus.ts';

const repository = join(import.meta.dirname, '../..');
const alertsFile = join(repository, 'deploy/prometheus/alerts.yml');
const dashboards = join(repository, 'deploy/grafana/dashboards');
const scrapedWithinMs = 60_000;

interface Dashboard {
  title: string;
  panels: { title: string; targets: { expr: string; datasource: { uid: string } }[] }[];
}
interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook_url: string };
}

const queries = readdirSync(dashboards).flatMap((file) => {
  const { title, panels } = JSON.parse(readFileSync(join(dashboards, file), 'utf8')) as Dashboard;
  return panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ panel: `${title}: ${panel.title}`, expr })));
});
const rules = (parse(readFileSync(alertsFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

let home: ReturnType<typeof temporaryHome>;
let stack: Stack;
let receiver: Server;
let prometheus: RunningPrometheus;

beforeAll(async () => {
  home = temporaryHome();
  stack = await startStack({ home: home.path, durable: false, quiet: true });
  receiver = createServer((request, response) => void request.resume().on('end', () => response.end())).listen(0);
  const ports = serviceNames.map((name) => [name, stack.process(name).definition.env.INTERNAL_PORT ?? '']);
  prometheus = await startPrometheus(Object.fromEntries(ports) as Record<string, string>);
  await somethingOfEverything();
}, 180_000);

afterAll(async () => {
  await prometheus[Symbol.asyncDispose]();
  await stack.stop();
  receiver.close();
  home[Symbol.dispose]();
});

async function call(url: string, headers: Record<string, string>, body?: unknown): Promise<Record<string, never>> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, never>;
}

function headersOf(keys: { public_key: string; secret_key: string }): Record<string, string> {
  return { 'x-api-key': keys.public_key, 'x-api-secret': keys.secret_key };
}

/** A paid deposit in each environment, a paid payout and one that is held, a delivery, a reconciliation. */
async function somethingOfEverything(): Promise<void> {
  const [merchant] = stack.dev.merchants;
  if (!merchant) throw new Error('there is no demo merchant');
  const [testKeys, liveKeys] = [headersOf(merchant.test), headersOf(merchant.live)];
  const v1 = `${stack.baseUrl}/v1`;
  await call(`${v1}/webhooks`, testKeys, {
    name: 'r',
    url: `http://localhost:${(receiver.address() as AddressInfo).port}/`,
  });
  // Accepted or not, its name has been asked for.
  await call(`${v1}/webhooks`, testKeys, { name: 'n', url: 'http://receiver.invalid/' }).catch(() => undefined);
  const deposit = await call(`${v1}/deposits`, testKeys, { amount_cents: 10_000, external_id: 'observed' });
  await call(`${v1}/test/deposits/${deposit['id']}/pay`, testKeys, {});
  for (const key of ['maria@example.com', 'hold@sandbox.test']) {
    const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
    const payout = { amount_cents: 100, external_id: key, pix_key: key, pix_key_type: 'email', recipient };
    await call(`${v1}/payouts`, testKeys, payout);
  }
  const paidLive = await call(`${v1}/deposits`, liveKeys, { amount_cents: 10_000, external_id: 'observed' });
  const reference = String(paidLive['id']).slice('dep_'.length);
  await call(`${stack.simulatorUrl}/control/charges/${reference}/pay`, {}, {});
  await call(`${stack.opsUrl}/ops/reconciliations`, { authorization: `Bearer ${stack.dev.ops_tokens[0]}` }, {});
}

test('Prometheus reads every service', async () => {
  await eventually(
    async () => {
      const up = await prometheus.query('up{job="gateway"} == 1');
      expect(up.map(({ metric }) => metric['service']).sort()).toEqual([...serviceNames].sort());
    },
    { timeoutMs: scrapedWithinMs, everyMs: 500 },
  );
});

describe.each(queries)('$panel', ({ expr }) => {
  test(
    'shows what the running services tell',
    async () => {
      await eventually(async () => expect(await prometheus.query(expr)).not.toEqual([]), {
        timeoutMs: scrapedWithinMs,
        everyMs: 500,
      });
    },
    scrapedWithinMs,
  );
});

describe.each(rules)('$alert', ({ alert, expr, annotations }) => {
  test(
    'looks at metrics that exist',
    async () => {
      const names = [...new Set(expr.match(/\b(gateway|nodejs|process)_\w+/g) ?? ['up'])];
      for (const name of names) {
        await eventually(async () => expect(await prometheus.query(`count(${name})`), name).not.toEqual([]), {
          timeoutMs: scrapedWithinMs,
          everyMs: 500,
        });
      }
      await prometheus.query(expr);
    },
    scrapedWithinMs,
  );

  test('leads to a page that says what to do', () => {
    const [page = '', anchor] = annotations.runbook_url.split('#');
    expect(existsSync(join(repository, page))).toBe(true);
    expect(anchor).toBe(alert.toLowerCase());
    expect(readFileSync(join(repository, page), 'utf8')).toContain(`## ${alert}\n`);
  });
});

test('promtool accepts the rules and the configuration', () => {
  expect(promtool('check', 'rules', alertsFile)).toMatchObject({ ok: true });
  const config = join(repository, 'deploy/prometheus/prometheus.yml');
  expect(promtool('check', 'config', '--syntax-only', config)).toMatchObject({ ok: true });
});

test('what Prometheus scrapes is what runs', () => {
  const config = parse(readFileSync(join(repository, 'deploy/prometheus/prometheus.yml'), 'utf8')) as {
    scrape_configs: { static_configs: { targets: string[]; labels: { service: string } }[] }[];
  };
  const targets = config.scrape_configs.flatMap((job) => job.static_configs);
  expect(targets.map(({ labels }) => labels.service).sort()).toEqual([...serviceNames].sort());
  for (const { targets: addresses, labels } of targets) expect(addresses).toEqual([`${labels.service}:9000`]);
});
