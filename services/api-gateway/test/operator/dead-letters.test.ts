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
const retry = (id: string) => gateway.asOperator('POST', `/ops/dead-letters/${id}/retry`);
const reason = 'repeated by its sender';
const proposeDiscard = (id: string) =>
  gateway.asOperator('POST', `/ops/dead-letters/${id}/discard`, { body: { reason } });
const approve = (approvalId: string, as: 'asOperator' | 'asSecond' = 'asSecond') =>
  gateway[as]('POST', `/ops/approvals/${approvalId}/approve`);
const read = async (id: string) => (await gateway.asOperator('GET', `/ops/dead-letters/${id}`)).body;
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
    const { status, body } = await retry(id);
    expect([status, body]).toMatchObject([200, { id, status: 'RETRIED', decided_by: 'ana', deliveries: 4 }]);
    expect(handled).toEqual([payload]);
    for (const decide of [retry, proposeDiscard]) expect((await decide(id)).body.error.code).toBe('INVALID_STATE');
    expect(handled).toHaveLength(1);
    expect(await auditOf(id)).toMatchObject([
      { operator: 'ana', action: 'dead-letter.retry', before: { status: 'WAITING' }, after: body },
    ]);
  });

  test('that fail again wait on with the new reason', async () => {
    const id = await set(deposits.database);
    handle = () => Promise.reject(new SyntaxError('still no JSON'));
    expect((await retry(id)).body).toMatchObject({ status: 'WAITING', reason: 'still no JSON', deliveries: 4 });
    handle = async () => undefined;
    expect((await retry(id)).body).toMatchObject({ status: 'RETRIED', deliveries: 5 });
    expect(await auditOf(id)).toHaveLength(2);
  });

  test('are discarded by two operators, without an effect', async () => {
    const id = await set(deposits.database);
    const proposed = await proposeDiscard(id);
    const request = { dead_letter_id: id, service: 'deposits', consumer };
    expect([proposed.status, proposed.body.approval]).toMatchObject([
      202,
      { kind: 'dead-letter.discard', target: id, state: 'PROPOSED', reason, request, before: { status: 'WAITING' } },
    ]);
    const alone = await approve(proposed.body.approval.id, 'asOperator');
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(await read(id)).toMatchObject({ status: 'WAITING' });
    const discarded = { status: 'DISCARDED', decided_by: 'bruno', deliveries: 3 };
    const approved = await approve(proposed.body.approval.id);
    expect([approved.status, approved.body.approval]).toMatchObject([200, { state: 'APPLIED', outcome: discarded }]);
    expect(handled).toEqual([]);
    expect(await read(id)).toMatchObject(discarded);
    expect(await auditOf(id)).toMatchObject([{ operator: 'bruno', action: 'dead-letter.discard', after: discarded }]);
  });

  test('that were retried since the proposal are not discarded', async () => {
    const id = await set(deposits.database);
    const { approval } = (await proposeDiscard(id)).body;
    await retry(id);
    const late = await approve(approval.id);
    expect([late.status, late.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await read(id)).toMatchObject({ status: 'RETRIED' });
  });

  test('whose discarding ended with its gateway before it was recorded are found discarded by the next attempt', async () => {
    const id = await set(deposits.database);
    const { approval } = (await proposeDiscard(id)).body;
    await deposits.database.query(`update dead_letter set discarded_at = now(), decided_by = 'bruno' where id = $1`, [
      id,
    ]);
    expect((await approve(approval.id)).body.approval).toMatchObject({ state: 'APPLIED', outcome: { id } });
  });

  test.each<[object, string]>([
    [{}, 'reason'],
    [{ reason: '' }, 'reason'],
    [{ reason, service: 'ledger' }, 'service'],
  ])('discarded with %j are refused by name', async (body, path) => {
    const id = await set(deposits.database);
    const answer = await gateway.asOperator('POST', `/ops/dead-letters/${id}/discard`, { body });
    expect([answer.status, answer.body.error.details.map((each) => each.path)]).toEqual([400, [path]]);
  });

  test('of a consumer that is gone cannot be retried, only discarded', async () => {
    const id = await set(deposits.database, { consumer: 'gone' });
    expect((await retry(id)).body.error.code).toBe('INVALID_STATE');
    expect((await approve((await proposeDiscard(id)).body.approval.id)).status).toBe(200);
  });

  test('nobody has are 404', async () => {
    for (const id of [newId('deadLetter'), 'nonsense']) {
      expect((await gateway.asOperator('GET', `/ops/dead-letters/${id}`)).status).toBe(404);
      expect((await retry(id)).status).toBe(404);
      expect((await proposeDiscard(id)).status).toBe(404);
    }
  });

  test('decided by two operators at once are decided once', async () => {
    const id = await set(deposits.database);
    const proposals = [await proposeDiscard(id), await proposeDiscard(id)];
    const discards = proposals.map(({ body }) => approve(body.approval.id));
    const statuses = (await Promise.all([...discards, retry(id)])).map(({ status }) => status);
    // Both discards are by the same operator, who has then discarded it either way.
    expect([
      [200, 200, 409],
      [200, 409, 409],
    ]).toContainEqual(statuses.sort());
    expect((await read(id)).status).not.toBe('WAITING');
  });
});
