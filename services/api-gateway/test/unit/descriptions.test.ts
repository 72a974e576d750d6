import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { errorTable } from '@gateway/contracts/errors';
import { webhookEventSchema } from '@gateway/contracts/webhooks';
import { isVersioned } from '@gateway/public-api';
import { merchantApi, operatorApi } from '#src/description/apis.ts';
import { connectorApi, connectorEndpoints } from '#src/description/connector.ts';
import { describe as documentOf } from '#src/description/document.ts';
import type { DescribedEndpoint, DescribedOperation } from '#src/description/operation.ts';
import type { JsonSchema } from '#src/description/schemas.ts';
import { operationVerbs } from '#src/http/endpoint.ts';
import { pictureEndpoints } from '#src/merchant/deposit-pictures.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorRoutes } from '#src/operator/routes.ts';

const urls = ['https://pay.example'];
const endpoints = [...merchantRoutes, ...pictureEndpoints];
const documents = {
  'contract 0.1': documentOf({ api: merchantApi('0.1'), endpoints, urls }),
  'contract 1.0': documentOf({ api: merchantApi('1.0'), endpoints, urls }),
  operators: documentOf({ api: operatorApi, endpoints: operatorRoutes, urls }),
  connector: documentOf({ api: connectorApi, endpoints: connectorEndpoints, urls }),
};
const rowsOf: Readonly<Record<string, readonly DescribedEndpoint[]>> = {
  operators: operatorRoutes,
  connector: connectorEndpoints,
};

const described = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** Paths of the parts of a value for which the test holds; examples are not looked into. */
function found(value: unknown, holds: (part: Record<string, unknown>) => boolean, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).filter(([name]) => !['example', 'examples'].includes(name));
  const below = parts.flatMap(([name, part]) => found(part, holds, `${path}/${name}`));
  return holds(value as Record<string, unknown>) ? [path, ...below] : below;
}

async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}

describe.each(Object.entries(documents))('the description of %s', (audience, document) => {
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ what: `${method.toUpperCase()} ${path}`, operation })),
  );
  const webhooks = Object.values(document.webhooks ?? {}).map(({ post }) => post);

  test('has an operation for every route, and no other', () => {
    const routes = rowsOf[audience] ?? endpoints;
    const expected = routes.map(({ method, path }) => `${method} ${described(path)}`);
    expect(operations.map(({ what }) => what).sort()).toEqual(expected.sort());
  });

  test('names each operation once, by what it does', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    const pattern = new RegExp(`^(${operationVerbs.join('|')})[A-Z]`);
    expect(names.filter((name) => !pattern.test(name))).toEqual([]);
  });

  test('says of every operation what happens: give the row a `description` of some sentences', () => {
    const silent = operations.filter(({ operation }) => operation.description.length < 40);
    expect(silent.map(({ what }) => what)).toEqual([]);
  });

  test('says of every member, parameter and named schema what it is: give its schema `.describe(…)`', () => {
    const isSilent = (member: JsonSchema) => {
      const name = member.$ref?.split('/').at(-1) ?? '';
      return (member.description ?? schemas[name]?.description ?? '').length < 6;
    };
    const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, schema]) => [`${name}.${member}`, schema] as const),
    );
    const silent = members.filter(([, schema]) => isSilent(schema)).map(([name]) => name);
    const named = Object.entries(schemas).filter(([, schema]) => isSilent(schema));
    const parameters = operations.flatMap(({ what, operation }) =>
      operation.parameters
        .filter(({ description = '' }) => description.length < 6)
        .map(({ name }) => `${what} ${name}`),
    );
    expect([...silent, ...named.map(([name]) => name), ...parameters]).toEqual([]);
    console.log(`${audience}: ${operations.length} operations, ${members.length} members, all described`);
  });

  test('names every schema of an object: give it `.meta({ id: … })`', () => {
    const isObject = (part: Record<string, unknown>) => part['type'] === 'object' && 'properties' in part;
    const inline = [...found(document.paths, isObject), ...found(document.webhooks ?? {}, isObject)];
    // Within it, whether a member or an alternative.
    const nested = Object.entries(schemas).flatMap(([name, { type: _own, ...parts }]) =>
      found(parts, isObject).map((path) => `${name}${path}`),
    );
    expect([...inline, ...nested]).toEqual([]);
  });

  test('uses every named schema, and refers to nothing that is not there', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? ''));
    expect([...referred].sort()).toEqual(Object.keys(schemas).sort());
    const others = [...text.matchAll(/"#\/components\/((?!schemas)[^"]+)"/g)].map(([, path = '']) => path);
    for (const path of new Set(others)) {
      const [kind = '', name = ''] = path.split('/');
      expect((document.components as unknown as Record<string, object>)[kind], path).toHaveProperty([name]);
    }
  });

  test('has no empty schema, and nothing of a programming language', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"(schema|items)":\{\}/);
    expect(text).not.toMatch(/9007199254740991|"\$schema"|"\$defs"/);
  });

  test('explains the groups of its operations', () => {
    const used = new Set([...operations.map(({ operation }) => operation), ...webhooks].flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    expect(document['x-tagGroups'].flatMap(({ tags }) => tags).sort()).toEqual([...used].sort());
  });

  test('has an example of every body and every answer', () => {
    const bare: string[] = [];
    let count = 0;
    const look = (what: string, content: DescribedOperation['responses'][string]['content'] = {}) => {
      const json = content['application/json'];
      const examples = Object.keys(json?.examples ?? {});
      count += examples.length;
      if (json && examples.length === 0) bare.push(what);
    };
    for (const operation of [...operations.map((each) => each.operation), ...webhooks]) {
      look(`${operation.operationId} body`, operation.requestBody?.content);
      for (const [status, answer] of Object.entries(operation.responses)) {
        look(`${operation.operationId} ${status}`, answer.content);
      }
    }
    expect(bare).toEqual([]);
    console.log(`${audience}: ${count} examples`);
  });

  test('keeps every rule of the public ruleset; each example fits its schema', async () => {
    expect(await problemsOf(document)).toEqual([]);
  });

  test('would not keep them with an answer without a description, or an example that does not fit: the rules look', async () => {
    const text = JSON.stringify(document);
    const bare = JSON.parse(text.replace(/"description":"OK",/, '')) as object;
    const misfit = JSON.parse(
      text.replace(/"status":"PENDING"/, '"status":"PENDNG"').replace(/"enabled":false/, '"enabled":7'),
    ) as object;
    for (const broken of [bare, misfit]) expect(await problemsOf(broken)).not.toEqual([]);
  });

  test('leads from one operation to others that are there', () => {
    const names = new Set(operations.map(({ operation }) => operation.operationId));
    const links = found(document.paths, (part) => 'links' in part);
    if (!(audience in rowsOf)) expect(links.length).toBeGreaterThan(0);
    const targets = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)","parameters":\{"id":/g)];
    expect(targets.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

const codesOfPeople = ['SIGN_IN_REFUSED', 'SESSION_ENDED', 'STEP_UP_REQUIRED'];

describe('the descriptions for merchants', () => {
  test('hold one contract each', () => {
    const text = (name: keyof typeof documents) => JSON.stringify(documents[name].components.schemas);
    expect(text('contract 0.1')).toContain('"net_cents"');
    expect(text('contract 0.1')).not.toMatch(/"(payout_key|flow|amount_received)":/);
    expect(text('contract 1.0')).toContain('"payout_key"');
    expect(text('contract 1.0')).not.toMatch(/"(net_cents|refunded_cents|returned_cents|pix_key)":/);
    expect(documents['contract 0.1'].info.version).toBe('0.1.0');
    expect(documents['contract 1.0'].info.version).toMatch(/^1\.0\.0-beta/);
    expect(JSON.stringify(documents['contract 0.1'])).not.toContain('/ops/');
  });

  test.each(['contract 0.1', 'contract 1.0'] as const)('name every event and what it carries: %s', (name) => {
    const { webhooks = {}, components } = documents[name];
    expect(Object.keys(webhooks)).toEqual(webhookEventSchema.options);
    for (const [event, { post }] of Object.entries(webhooks)) {
      const schema = post.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
      expect(components.schemas[schema]?.properties?.['event']).toMatchObject({ const: event });
    }
    expect(Object.keys(components.schemas['WebhookEvent']?.['discriminator'] as object)).toContain('mapping');
  });

  test('begin with what a merchant does first, and keep the names of their operations', () => {
    const [first] = Object.keys(documents['contract 0.1'].paths);
    expect(first).toBe('/v1/deposits');
    const tags = documents['contract 0.1'].tags.map(({ name }) => name);
    expect(tags.slice(0, 4)).toEqual(['deposits', 'refunds', 'disputes', 'payouts']);
    expect(endpoints.map(({ method, path, operation }) => `${operation}: ${method} ${path}`).sort()).toMatchSnapshot();
  });

  test('show every error code that an operation can answer, with its meaning and an example', () => {
    const text = JSON.stringify(documents);
    for (const [code, { meaning }] of Object.entries(errorTable)) {
      // Belongs to paths rather than to operations.
      if (code === 'METHOD_NOT_ALLOWED') continue;
      // Identity answers them to the gateway; they come to operations with the sign-in of people.
      if (codesOfPeople.includes(code)) continue;
      expect(text, code).toContain(`"code":"${code}"`);
      expect(text, code).toContain(JSON.stringify(meaning).slice(1, -1));
    }
    expect(documents['contract 0.1'].info.description).toContain('METHOD_NOT_ALLOWED');
  });
});

test('every body has an example, and every example fits the schema that checks it', () => {
  for (const { method, path, body, example } of [...merchantRoutes, ...operatorRoutes]) {
    const operation = `${method} ${path}`;
    expect([operation, example !== undefined]).toEqual([operation, body !== undefined]);
    if (!body) continue;
    const schema = isVersioned(body) ? body['0.1'] : body;
    expect(schema.safeParse(example).error, operation).toBeUndefined();
  }
});

test('a body may be left out where its row says so, and nowhere else', () => {
  for (const { method, path, body, bodyOptional = false } of [...merchantRoutes, ...operatorRoutes]) {
    if (!body) continue;
    const schema = isVersioned(body) ? body['0.1'] : body;
    expect([`${method} ${path}`, schema.safeParse(undefined).success]).toEqual([`${method} ${path}`, bodyOptional]);
  }
});

test('whoever lifts the restrictions of an account has to name it and the connector; a list needs neither', () => {
  const namedBy = (method: string) =>
    documents.operators.paths['/ops/compat/integrations']?.[method]?.parameters
      .filter(({ name }) => ['account_id', 'prefix'].includes(name))
      .map(({ name, required }) => `${name}: ${String(required)}`);
  expect(namedBy('delete')).toEqual(['account_id: true', 'prefix: true']);
  expect(namedBy('get')).toEqual(['account_id: false', 'prefix: false']);
});
