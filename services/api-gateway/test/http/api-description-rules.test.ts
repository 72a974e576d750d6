import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isVersionedBody } from '@gateway/public-api';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const described = (path: string) => path.replace(/:(\w+)/g, '{$1}');
let gateway: GatewayUnderTest;
let sources: Readonly<Record<string, string>>;

beforeAll(async () => {
  gateway = await startGateway();
  const operators = await fetch(`${gateway.opsUrl}/openapi.json`);
  sources = { merchants: (await gateway.call('GET', '/openapi.json')).text, operators: await operators.text() };
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const problemsOf = async (source: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
};

describe.each(['merchants', 'operators'])('the description for %s', (audience) => {
  test('keeps every rule of the public ruleset', async () => {
    expect(await problemsOf(sources[audience]!)).toEqual([]);
  });

  test('would not keep them with a response without a description: the rules are looked at', async () => {
    expect(await problemsOf(sources[audience]!.replace(/"description":"OK",/, ''))).not.toEqual([]);
  });

  test('has an operation for every route, and no other', () => {
    const { paths } = JSON.parse(sources[audience]!) as { paths: Record<string, Record<string, object>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = audience === 'merchants' ? merchantRoutes : operatorRoutes;
    const expected = routes.map(({ method, path }): string => `${method} ${described(path)}`);
    expect(operations.filter((each) => !each.includes('/qr.')).sort()).toEqual(expected.sort());
  });

  test('has no empty schema and no tag nobody explains', () => {
    const text = sources[audience]!;
    expect(text).not.toMatch(/"schema":\{\}|"items":\{\}/);
    const { paths, tags } = JSON.parse(text) as {
      paths: Record<string, Record<string, { tags: string[] }>>;
      tags: { name: string }[];
    };
    const used = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((each) => each.tags));
    expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(used)]));
  });
});

test('every body has an example, and every example fits the schema that checks it', () => {
  for (const { method, path, body, example } of [...merchantRoutes, ...operatorRoutes]) {
    const operation = `${method} ${path}`;
    expect([operation, example !== undefined]).toEqual([operation, body !== undefined]);
    if (!body) continue;
    const schema = isVersionedBody(body) ? body['0.1'] : body;
    expect(schema.safeParse(example).error, operation).toBeUndefined();
  }
});

test("the operators' description and page are on their listener alone", async () => {
  expect((await fetch(`${gateway.opsUrl}/docs/`)).status).toBe(200);
  expect(sources['merchants']).not.toContain('/ops/');
  expect(JSON.stringify(sources)).not.toContain(operatorTokens.ana);
});
