import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kitMigrations } from '@gateway/persistence';
import { feedMigrations, feedRoutes } from '@gateway/provider-feeds';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const migrations = [...kitMigrations, ...feedMigrations];
let deposits: TestDatabase;
let payouts: TestDatabase;
let reconciler: TestDatabase;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  deposits = await createTestDatabase('deposits', { migrations });
  payouts = await createTestDatabase('payouts', { migrations });
  reconciler = await createTestDatabase('reconciler', { migrations });
  gateway = await startGateway([
    ...feedRoutes(deposits.database, 'deposits', () => new Date()),
    ...feedRoutes(payouts.database, 'payouts', () => new Date()),
    ...feedRoutes(reconciler.database, 'reconciler', () => new Date()),
  ]);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await deposits[Symbol.asyncDispose]();
  await payouts[Symbol.asyncDispose]();
  await reconciler[Symbol.asyncDispose]();
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

describe('dismissing an unread item', () => {
  const itemNamed = async (key: string) => {
    const { body } = await gateway.asOperator('GET', '/ops/unread-items?limit=200');
    return (body.data as unknown as { id: string; key: string }[]).find((item) => item.key === key);
  };
  const stateOf = async ({ database }: TestDatabase, key: string) => {
    const [row] = await database.query<{ state: string }>('select state from item_inbox where key = $1', [key]);
    return row?.state;
  };
  const propose = (id: string, body: object = { reason: 'a test of the address' }) =>
    gateway.asOperator('POST', `/ops/unread-items/${id}/dismiss`, { body });

  test.each(['deposits', 'payouts', 'reconciler'] as const)(
    'of %s takes two operators: the one who proposes it changes nothing, and the trail names the approver',
    async (service) => {
      const owner = { deposits, payouts, reconciler }[service];
      const key = `maybe money of ${service}`;
      await unreadable(owner, key, 30);
      const { id } = (await itemNamed(key))!;
      const { status, body } = await propose(id);
      expect(status).toBe(202);
      expect(body.approval).toMatchObject({
        kind: 'unread-item.dismiss',
        target: id,
        reason: 'a test of the address',
        proposed_by: 'ana',
        before: { key, state: 'UNREADABLE', raw: '{}' },
      });
      const alone = await gateway.asOperator('POST', `/ops/approvals/${body.approval.id}/approve`);
      expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
      expect(await stateOf(owner, key)).toBe('UNREADABLE');
      const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
      expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { id, state: 'DISMISSED' } });
      expect(await stateOf(owner, key)).toBe('DISMISSED');
      const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${id}`);
      expect(trail.data).toMatchObject([
        { operator: 'bruno', action: 'unread-item.dismiss', before: { state: 'UNREADABLE' } },
      ]);
    },
  );

  test('is refused when the item was reported again since it was proposed', async () => {
    await unreadable(deposits, 'seen twice', 31);
    const { id } = (await itemNamed('seen twice'))!;
    const { body } = await propose(id);
    await deposits.database.query(`update item_inbox set first_seen = now() where key = 'seen twice'`);
    const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect([approved.status, approved.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(await stateOf(deposits, 'seen twice')).toBe('UNREADABLE');
  });

  test('needs a reason and an item', async () => {
    expect((await propose('f'.repeat(32))).status).toBe(404);
    expect((await propose('nonsense')).status).toBe(404);
    await unreadable(deposits, 'without a reason', 32);
    const { id } = (await itemNamed('without a reason'))!;
    expect((await propose(id, {})).status).toBe(400);
  });
});

test.each(['deposits', 'payouts', 'reconciler'] as const)(
  'an item of %s that an operator has tried again is due at once, and the trail names the operator',
  async (service) => {
    const owner = { deposits, payouts, reconciler }[service];
    const key = `again by ${service}`;
    await unreadable(owner, key, 40);
    const { body: listed } = await gateway.asOperator('GET', '/ops/unread-items?limit=200');
    const items = listed.data as unknown as { id: string; key: string }[];
    const { id } = items.find((item) => item.key === key)!;
    const { status, body } = await gateway.asOperator('POST', `/ops/unread-items/${id}/retry`);
    expect([status, body]).toMatchObject([200, { id, service, state: 'UNREADABLE' }]);
    const due = 'select from item_inbox where key = $1 and next_attempt_at <= now()';
    expect(await owner.database.query(due, [key])).toHaveLength(1);
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${id}`);
    expect(trail.data).toMatchObject([{ operator: 'ana', action: 'unread-item.retry', before: { key } }]);
    expect((await gateway.asOperator('POST', '/ops/unread-items/nonsense/retry')).status).toBe(404);
  },
);
