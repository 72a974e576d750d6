import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering, callRpc, serveRpc, startConsumer, type Message } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { Readiness } from '@gateway/runtime';
import { getKeyHolder } from '@gateway/contracts/accounts';
import { streams } from '@gateway/contracts/broker';
import {
  createConnectorDeposit,
  createDeposit,
  DepositPaid,
  getDeposit,
  listDeposits,
  showDeposits,
  simulatePayment,
  type Deposit,
} from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { createTestDatabase, eventually, keyHolderOf, silentLogger, testNatsUrl } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { startService } from '#src/service.ts';
import { account, request, Stage } from './stage.ts';

const stack = new AsyncDisposableStack();
const emitted: { subject: string; deposit: Deposit }[] = [];
let stage: Stage;
let database: Database;
const readiness = new Readiness();

beforeAll(async () => {
  stage = stack.use(await Stage.open());
  const created = stack.use(await createTestDatabase('deposits', { migrations }));
  database = created.database;
  const env = {
    DATABASE_URL: created.url,
    NATS_URL: testNatsUrl(),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const { signal } = new AbortController();
  stack.use(await startService({ name: 'deposits', env, logger: silentLogger, readiness, signal }));
  const handle = async (messages: readonly Message[]) => {
    for (const { subject, data } of messages) emitted.push({ subject, ...DepositPaid.payload.parse(data) });
  };
  const { bus } = stage;
  const stream = streams.depositsEvents;
  stack.use(startConsumer({ bus, database, logger: silentLogger, stream, durable: 'test', handle }));
});
afterAll(async () => stack.disposeAsync());

test('a deposit goes from creation to PAID over the bus, and its events reach the stream', async () => {
  const { bus } = stage;
  const owner = account();
  const { created, deposit } = await callRpc(bus, createDeposit, request(owner));
  expect(created).toBe(true);
  const key = { environment: 'test', accountId: owner.id, id: deposit.id } as const;
  const { deposit: paid } = await callRpc(bus, simulatePayment, key);
  expect(paid.status).toBe('PAID');
  expect(await callRpc(bus, getDeposit, key)).toEqual({ deposit: paid });
  const page = await callRpc(bus, listDeposits, { environment: 'test', accountId: owner.id, limit: 10 });
  expect(page).toEqual({ deposits: [paid], nextCursor: null });
  await eventually(() =>
    expect(emitted.map(({ subject, deposit: { id, status } }) => [subject, id, status])).toEqual([
      ['event.deposits.deposit.created.v1', deposit.id, 'PENDING'],
      ['event.deposits.deposit.paid.v1', deposit.id, 'PAID'],
    ]),
  );
  expect(await readiness.report()).toMatchObject({ checks: { database: 'ok', bus: 'ok' } });
});

test('a page of the most deposits with the largest metadata is answered', async () => {
  const owner = account();
  const metadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, number) => [`key-${number}`.padEnd(40, '…'), '…'.repeat(500)]),
  );
  // Ten megabytes at once: a machine with other work takes its time.
  const bus = stage.bus.within(60_000);
  const most = Array.from({ length: 200 }, () => callRpc(bus, createDeposit, { ...request(owner), metadata }));
  await Promise.all(most);
  const asked = { environment: 'test', accountId: owner.id, limit: 200, apiVersion: '1.0' } as const;
  const page = await callRpc(bus, showDeposits, asked);
  expect(page.data).toHaveLength(200);
  expect(page.data.at(-1)).toMatchObject({ metadata });
});

test('a deposit whose time is up expires by itself', async () => {
  const owner = account();
  const { deposit } = await callRpc(stage.bus, createDeposit, request(owner));
  await database.query(`update deposit set expires_at = now() where id = $1`, [deposit.id]);
  const key = { environment: 'test', accountId: owner.id, id: deposit.id } as const;
  await eventually(async () => expect((await callRpc(stage.bus, getDeposit, key)).deposit.status).toBe('EXPIRED'));
});

test('a deposit of the connector is made under the settings the gateway tells of its key, whatever account the request brings', async () => {
  const fee = { fixedCents: 250, bps: 0 };
  const owner = account({ fees: { deposit: fee, payout: fee }, retentionDays: 7 });
  const holder = keyHolderOf(owner);
  const gateway = answering(getKeyHolder, async ({ publicKey }) => {
    if (publicKey !== holder.publicKey) throw new DomainError('AUTH_INVALID', 'the key is not valid');
    return holder;
  });
  await using serving = new AsyncDisposableStack();
  serving.use(await serveRpc(stage.bus, [gateway], silentLogger));
  const none = { fixedCents: 0, bps: 0 };
  const free = account({ fees: { deposit: none, payout: none } });
  const forged = { ...request(free), environment: 'live', publicKey: holder.publicKey };
  const { deposit } = await callRpc(stage.bus, createConnectorDeposit, forged);
  expect(deposit).toMatchObject({ accountId: owner.id, environment: 'test', fee: 250 });
  const stranger = callRpc(stage.bus, createConnectorDeposit, { ...forged, publicKey: 'pk_test_2' });
  await expect(stranger).rejects.toMatchObject({ code: 'AUTH_INVALID' });
});

test('a deposit of the connector is not made for an account whose writes are frozen', async () => {
  const owner = account();
  const frozen = { level: 'writes', at: 1_767_000_000 } as const;
  const holder = keyHolderOf(owner, { publicKey: 'pk_test_3', frozen });
  await using serving = new AsyncDisposableStack();
  serving.use(await serveRpc(stage.bus, [answering(getKeyHolder, async () => holder)], silentLogger));
  const wanted = { ...request(owner), publicKey: holder.publicKey };
  const creation = callRpc(stage.bus, createConnectorDeposit, wanted);
  await expect(creation).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
});
