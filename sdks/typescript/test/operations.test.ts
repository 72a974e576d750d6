import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '#src/generated/operations.ts';
import { everyMethod } from './support/every-method.ts';
import { clientOf, deposit, payout } from './support/client.ts';
import { HttpServer } from './support/http-server.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await HttpServer.start();
});
afterAll(async () => server[Symbol.asyncDispose]());

const described = ['0.1', '1.0'].flatMap((contract) => {
  const path = join(import.meta.dirname, `../../../docs/api/openapi-${contract}.json`);
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId } = operation as { operationId?: string };
      return operationId === undefined ? [] : [{ id: operationId, method: method.toUpperCase(), route }];
    }),
  );
});

test('every operation of the descriptions has a method, and every method an operation', () => {
  expect(Object.keys(everyMethod).sort()).toEqual([...new Set(described.map(({ id }) => id))].sort());
});

test.each(Object.keys(operations))('%s is called as it is described', async (id) => {
  server.reply({
    status: 201,
    json: { ...deposit, data: [], next_cursor: null, payout, refund: deposit, conversion: deposit },
  });
  const operation = described.find((each) => each.id === id);
  await everyMethod[id]?.(clientOf(server.url));
  const [seen] = server.seen;
  const path = operation?.route.replace('{id}', 'one').replace('{deliveryId}', 'two');
  expect([seen?.method, seen?.path.split('?')[0], server.seen.length]).toEqual([operation?.method, path, 1]);
});

test('a call that makes something is repeated by its external_id or not at all', () => {
  const source = globSync('src/resources/*.ts', { cwd: join(import.meta.dirname, '..') })
    .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
    .join('\n');
  for (const [id, { method, repeat }] of Object.entries(operations)) {
    const checksReuse = new RegExp(`call\\('${id}', \\{[^}]*\\bbody: params, read`).test(source);
    if (id.startsWith('create')) expect([id, method, repeat]).toEqual([id, 'POST', checksReuse ? 'same' : 'never']);
  }
});
