import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceNames } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { deadLetterRoutes, retriedBy, storeDeadLetter } from '@gateway/messaging';
import { kitMigrations } from '@gateway/persistence';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const consumer = 'deposits-events';
const payload = '{"amount":7}';
let deposits: TestDatabase;
let others: TestDatabase;
let gateway: GatewayUnderTest;
let sequence = 0;
/** What the consumer does with a message it is handed again. */
let handle: () => Promise<void>;
let handled: string[];

beforeAll(async () => {
  deposits = await createTestDatabase('deposits', { migrations: kitMigrations });
  others = await createTestDatabase('ledger', { migrations: kitMigrations });
  retriedBy(deposits.database, consumer, async (letter) => {
    handled.push(Buffer.from(letter.payload).toString());
    await handle();
  });
  const peers = serviceNames.filter((name) => name !== 'api-gateway');
  gateway = await startGateway(
    peers.flatMap((name) => deadLetterRoutes(name === 'deposits' ? deposits.database : others.database, name)),
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await deposits[Symbol.asyncDispose]();
  await others[Symbol.asyncDispose]();
});
beforeEach(async () => {
  handled = [];
  handle = async () => undefined;
  await deposits.database.query('truncate dead_letter');
});

const set = async (database: TestDatabase['database'], members: object = {}) => {
  const letter = {
    consumer,
    stream: 'S',
    streamSequence: ++sequence,
    subject: 'event.deposits.deposit.paid.v1',
    payload: Buffer.from(payload),
  };
  await storeDeadLetter(database, {
    ...letter,
    headers: { 'Nats-Msg-Id': 'e1' },
    reason: 'bad luck',
    deliveries: 3,
    ...members,
  });
  const [row] = await database.query<{ id: string }>('select id from dead_letter order by id desc limit 1');
  return row!.id;
};
const list = (query = '') => gateway.asOperator('GET', `/ops/dead-letters${query}`);
const decide = (id: string, decision: 'retry' | 'discard') =>
  gateway.asOperator('POST', `/ops/dead-letters/${id}/${decision}`);
const auditOf = async (target: string) =>
  (await gateway.asOperator('GET', `/ops/audit?target=${target}`)).body.data as unknown[];

describe('dead letters', () => {
  test('of all services are one list, newest first, page by page, without their content', async () => {
    const ids: string[] = [];
    for (const database of [deposits.database, gateway.database, deposits.database]) ids.unshift(await set(database));
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect(second.body.next_cursor).toBeNull();
    expect(first.body.data[1]).toMatchObject({ object: 'dead_letter', service: 'api-gateway', status: 'WAITING' });
    expect(first.text).not.toContain('amount');
    const filtered = await list(`?service=deposits&consumer=${consumer}&status=WAITING`);
    expect(filtered.body.data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await list('?subject=event.none.v1')).body.data).toEqual([]);
    await gateway.database.query('truncate dead_letter');
  });

  test.each(['status=LOST', 'service=bank', `cursor=${newId('deadLetter')}`, 'cursor=x', 'limit=0'])(
    'asked for with %s are refused by name',
    async (query) => {
      const { status, body } = await list(`?${query}`);
      expect([status, body.error.details[0]?.path]).toEqual([400, query.split('=')[0]]);
    },
  );

  test('are looked at with the message itself', async () => {
    const id = await set(deposits.database);
    const { status, body } = await gateway.asOperator('GET', `/ops/dead-letters/${id}`);
    expect([status, body]).toEqual([200, expect.objectContaining({ id, payload, headers: { 'Nats-Msg-Id': 'e1' } })]);
  });

  test('are handed to their consumer again, once, and the trail says by whom', async () => {
    const id = await set(deposits.database);
    const { status, body } = await decide(id, 'retry');
    expect([status, body]).toMatchObject([200, { id, status: 'RETRIED', decided_by: 'ana', deliveries: 4 }]);
    expect(handled).toEqual([payload]);
    for (const decision of ['retry', 'discard'] as const) {
      expect((await decide(id, decision)).body.error.code).toBe('INVALID_STATE');
    }
    expect(handled).toHaveLength(1);
    expect(await auditOf(id)).toMatchObject([
      { operator: 'ana', action: 'dead-letter.retry', before: { status: 'WAITING' }, after: body },
    ]);
  });

  test('that fail again wait on with the new reason', async () => {
    const id = await set(deposits.database);
    handle = () => Promise.reject(new SyntaxError('still no JSON'));
    expect((await decide(id, 'retry')).body).toMatchObject({
      status: 'WAITING',
      reason: 'still no JSON',
      deliveries: 4,
    });
    handle = async () => undefined;
    expect((await decide(id, 'retry')).body).toMatchObject({ status: 'RETRIED', deliveries: 5 });
    expect(await auditOf(id)).toHaveLength(2);
  });

  test('are discarded without an effect', async () => {
    const id = await set(deposits.database);
    expect((await decide(id, 'discard')).body).toMatchObject({ status: 'DISCARDED', decided_by: 'ana', deliveries: 3 });
    expect([handled, (await list('?status=WAITING')).body.data]).toEqual([[], []]);
    expect(await auditOf(id)).toMatchObject([{ action: 'dead-letter.discard' }]);
  });

  test('of a consumer that is gone cannot be retried, only discarded', async () => {
    const id = await set(deposits.database, { consumer: 'gone' });
    expect((await decide(id, 'retry')).body.error.code).toBe('INVALID_STATE');
    expect((await decide(id, 'discard')).status).toBe(200);
  });

  test('nobody has are 404', async () => {
    for (const id of [newId('deadLetter'), 'nonsense']) {
      expect((await gateway.asOperator('GET', `/ops/dead-letters/${id}`)).status).toBe(404);
      expect((await decide(id, 'retry')).status).toBe(404);
    }
  });

  test('decided by two operators at once are decided once', async () => {
    const id = await set(deposits.database);
    const answers = await Promise.all([decide(id, 'discard'), decide(id, 'retry'), decide(id, 'discard')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await auditOf(id)).toHaveLength(1);
  });
});
