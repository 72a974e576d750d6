import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from '#src/description/document.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const documentAt = async (path: string) => JSON.parse((await gateway.call('GET', path)).text) as ApiDocument;

const operationsOf = ({ paths }: ApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

interface Collection {
  readonly info: { readonly name: string };
  readonly variable: readonly object[];
  readonly item: readonly {
    readonly item: readonly { readonly request: { readonly method: string; readonly url: { readonly raw: string } } }[];
  }[];
}

describe.each([
  ['/openapi.json', '0.1', '/postman.json'],
  ['/openapi-1.0.json', '1.0', '/postman-1.0.json'],
])('the API description at %s', (address, contract, collectionAddress) => {
  test('is of its own contract', async () => {
    const { openapi, info } = await documentAt(address);
    expect(openapi).toBe('3.1.0');
    expect(info.version.startsWith(contract)).toBe(true);
  });

  test('describes what the running gateway does: every operation refuses a stranger as it says', async () => {
    for (const { path, method, operation } of operationsOf(await documentAt(address))) {
      const answer = await gateway.call(method.toUpperCase(), path.replace(/\{\w+\}/g, 'nonsense'));
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 401, 'AUTH_REQUIRED']);
      expect(operation.responses).toHaveProperty('401');
    }
  });

  test('says of every operation what it answers while the services behind it are away', async () => {
    const { test: key } = await gateway.newAccount();
    for (const { path, method, operation } of operationsOf(await documentAt(address))) {
      const body = operation.requestBody ? { body: {} } : {};
      const answer = await gateway.asMerchant(key, method.toUpperCase(), path.replace(/\{\w+\}/g, 'nonsense'), body);
      expect(Object.keys(operation.responses), `${method} ${path} answered ${answer.status}`).toContain(
        String(answer.status),
      );
      expect(answer.status, `${method} ${path}`).not.toBe(500);
    }
  });

  test('has its calls in a collection for Postman, which names this gateway', async () => {
    const { text, headers } = await gateway.call('GET', collectionAddress);
    const description = await documentAt(address);
    const collection = JSON.parse(text) as Collection;
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(collection.info.name).toBe(`Payment gateway, contract ${contract}`);
    expect(collection.variable[0]).toEqual({ key: 'base_url', value: description.servers[0]?.url });
    const [, ...groups] = collection.item;
    const described = operationsOf(description).map(
      ({ method, path }) => `${method.toUpperCase()} {{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    const calls = groups.flatMap(({ item }) => item).map(({ request }) => `${request.method} ${request.url.raw}`);
    expect(calls.sort()).toEqual(described.sort());
  });

  test('is not sent again to those who have it', async () => {
    const first = await gateway.call('GET', address);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${gateway.baseUrl}${address}`, { headers: { 'if-none-match': etag } });
    expect([first.status, again.status, await again.text()]).toEqual([200, 304, '']);
  });
});

test("the operators' description is on their listener alone, and has no token in it", async () => {
  const operators = await (await fetch(`${gateway.opsUrl}/openapi.json`)).text();
  expect(operators).toContain('/ops/accounts');
  expect(operators).not.toContain(operatorTokens.ana);
  for (const path of ['/openapi.json', '/openapi-1.0.json']) {
    expect((await gateway.call('GET', path)).text).not.toContain('/ops/');
  }
});
