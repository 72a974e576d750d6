import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '@gateway/contracts/errors';
import { webhookEventSchema } from '@gateway/contracts/webhooks';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Description {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

let gateway: GatewayUnderTest;
let description: Description;
beforeAll(async () => {
  gateway = await startGateway();
  description = JSON.parse((await gateway.call('GET', '/openapi.json')).text) as Description;
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Paths of the members of a value for which the test holds. */
function found(value: unknown, holds: (each: object) => boolean, path = '#'): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([name, member]) => found(member, holds, `${path}/${name}`));
  return holds(value) ? [path, ...below] : below;
}

describe('the API description', () => {
  test('has an operation of its own name for every route, and no other', () => {
    expect(description.openapi).toBe('3.1.0');
    const routes = merchantRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    routes.push('GET /v1/deposits/{id}/qr.svg', 'GET /v1/deposits/{id}/qr.png');
    expect(
      operations()
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .sort(),
    ).toEqual(routes.sort());
    const names = operations().map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { operation } of operations()) expect([operation.summary, operation.tags[0]]).not.toContain(undefined);
  });

  test('has no empty schema', () => {
    const isEmptySchema = (each: object) => 'schema' in each && Object.keys(each.schema as object).length === 0;
    const hasEmptyMember = ({ properties = {} }: { properties?: object }) =>
      Object.values(properties).some((member: object) => Object.keys(member).length === 0);
    expect(found(description, isEmptySchema)).toEqual([]);
    expect(found(description, hasEmptyMember)).toEqual([]);
  });

  test('points at nothing that is not there', () => {
    const targets = [...JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, target]) => target!);
    expect(targets.length).toBeGreaterThan(100);
    for (const target of new Set(targets)) {
      const value = target
        .split('/')
        .reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], description);
      expect(value, target).toBeTypeOf('object');
    }
  });

  test('shows every error code under its status, with its meaning and an example', () => {
    for (const [code, { status, meaning }] of Object.entries(errorTable)) {
      // Belongs to paths rather than to operations.
      if (code === 'METHOD_NOT_ALLOWED') {
        expect(description.info.description).toContain(code);
        continue;
      }
      const response = description.components.responses[`Error${status}`];
      expect(response?.description).toContain(meaning);
      expect(response?.content?.['application/json']?.examples).toHaveProperty(`${code}.value.error.code`, code);
    }
  });

  test('describes every event with its record in both contracts', () => {
    expect(Object.keys(description.webhooks).sort()).toEqual([...webhookEventSchema.options].sort());
    const paid = description.webhooks['deposit.paid']?.post.requestBody?.content;
    const data = ['application/json', 'schema', 'properties', 'data', 'anyOf'];
    expect(paid).toHaveProperty([...data, '0', 'properties', 'net_cents']);
    expect(paid).toHaveProperty([...data, '1', 'properties', 'net']);
  });

  test('describes what the running gateway does: every operation refuses a stranger as it says', async () => {
    for (const { path, method, operation } of operations()) {
      const answer = await gateway.call(method.toUpperCase(), path.replace(/\{\w+\}/g, 'nonsense'));
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 401, 'AUTH_REQUIRED']);
      expect(operation.responses).toHaveProperty('401');
    }
  });

  test('says of every operation what it answers while the services behind it are away', async () => {
    const { test: key } = await gateway.newAccount();
    for (const { path, method, operation } of operations()) {
      const body = operation.requestBody ? { body: {} } : {};
      const answer = await gateway.asMerchant(key, method.toUpperCase(), path.replace(/\{\w+\}/g, 'nonsense'), body);
      expect(Object.keys(operation.responses), `${method} ${path} answered ${answer.status}`).toContain(
        String(answer.status),
      );
      expect(answer.status, `${method} ${path}`).not.toBe(500);
    }
  });
});
