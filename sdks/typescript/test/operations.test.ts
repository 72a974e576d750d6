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

interface Described {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface Media {
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

const contracts = ['0.1', '1.0'] as const;
const described = contracts.flatMap((contract) => {
  const path = join(import.meta.dirname, `../../../docs/api/openapi-${contract}.json`);
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, responses }]) =>
      id === undefined ? [] : [{ contract, id, method: method.toUpperCase(), route, answers: answersOf(responses) }],
    ),
  );
});

/** What the description shows of the answers of a success, a creation as one that makes the record. */
function answersOf(responses: Described['responses']): { readonly status: number; readonly json: object }[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const made = successes.length > 1 ? successes.filter(([status]) => status !== '200') : successes;
  return made.flatMap(([status, { content }]) =>
    Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => {
      return { status: Number(status), json: value };
    }),
  );
}

/** What a method answers with, where its answer is `{ payout }` for instance: the record alone. */
function recordOf(json: object): object {
  const [only, ...others] = Object.values(json) as unknown[];
  const isRecord = typeof only === 'object' && only !== null && 'object' in only;
  return others.length === 0 && isRecord ? only : json;
}

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

test.each(contracts)('what contract %s shows of each answer is what the method answers with', async (apiVersion) => {
  // A receipt is text, and JSON only while it is not there.
  const shown = described.filter(({ contract, id }) => contract === apiVersion && id !== 'getTransactionReceipt');
  let count = 0;
  for (const { id, answers } of shown) {
    for (const { status, json } of answers) {
      server.reply({ status, json });
      const client = clientOf(server.url, { apiVersion: apiVersion as '0.1' });
      expect([id, await everyMethod[id]?.(client)]).toMatchObject([id, recordOf(json)]);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(60);
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
