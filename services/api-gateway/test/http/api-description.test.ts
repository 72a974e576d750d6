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

describe.each([
  ['/openapi.json', '0.1'],
  ['/openapi-1.0.json', '1.0'],
])('the API description at %s', (address, contract) => {
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
