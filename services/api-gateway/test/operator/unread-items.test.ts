import { afterAll, beforeAll, expect, test } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { feedMigrations, feedRoutes } from '@gateway/provider-feeds';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const migrations = [...kitMigrations, ...feedMigrations];
let deposits: TestDatabase;
let payouts: TestDatabase;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  deposits = await createTestDatabase('deposits', { migrations });
  payouts = await createTestDatabase('payouts', { migrations });
  gateway = await startGateway([
    ...feedRoutes(deposits.database, 'deposits'),
    ...feedRoutes(payouts.database, 'payouts'),
  ]);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await deposits[Symbol.asyncDispose]();
  await payouts[Symbol.asyncDispose]();
});

async function unreadable({ database }: TestDatabase, key: string, second: number): Promise<void> {
  await database.query(
    `insert into item_inbox (environment, provider, feed, key, raw, state, cause, first_seen)
     values ('live', 'bank', 'payouts', $1, '{}', 'UNREADABLE', 'an object', $2)`,
    [key, new Date(Date.UTC(2026, 2, 4, 5, 6, second))],
  );
}

test('operators page through what deposits and payouts could not take as through one list, oldest first', async () => {
  for (const second of [1, 3, 4, 8]) await unreadable(deposits, `deposits-${second}`, second);
  for (const second of [2, 5, 6, 7]) await unreadable(payouts, `payouts-${second}`, second);
  const read: unknown[] = [];
  const sizes: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = `?limit=3&state=UNREADABLE${cursor ? `&cursor=${cursor}` : ''}`;
    const { status, body } = await gateway.asOperator('GET', `/ops/unread-items${query}`);
    expect(status).toBe(200);
    const page = body as unknown as { data: { key: string; service: string }[]; next_cursor: string | null };
    read.push(...page.data.map(({ key, service }) => (key.startsWith(service) ? key : `${service}: ${key}`)));
    sizes.push(page.data.length);
    cursor = page.next_cursor;
  }
  expect(read).toEqual([
    ...['deposits-1', 'payouts-2', 'deposits-3', 'deposits-4', 'payouts-5', 'payouts-6'],
    ...['payouts-7', 'deposits-8'],
  ]);
  expect(sizes).toEqual([3, 3, 2]);
});

test('a cursor that is no id is refused, and one of an item that is gone is a place in the list', async () => {
  const refused = await gateway.asOperator('GET', '/ops/unread-items?cursor=nonsense');
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  const end = await gateway.asOperator('GET', `/ops/unread-items?cursor=${'f'.repeat(32)}`);
  expect(end.body).toEqual({ data: [], next_cursor: null });
});
