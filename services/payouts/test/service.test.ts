import { afterAll, beforeAll, expect, test } from 'vitest';
import { getKeyHolder } from '@gateway/contracts/accounts';
import { streams } from '@gateway/contracts/broker';
import { listProviders, providersChangedSignal } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import {
  createConnectorPayout,
  createPayout,
  getPayout,
  listPayouts,
  PayoutPaid,
  type Payout,
} from '@gateway/contracts/payouts';
import { answering, callRpc, sendSignal, serveRpc, startConsumer, type Message } from '@gateway/messaging';
import { Readiness } from '@gateway/runtime';
import { createTestDatabase, eventually, keyHolderOf, silentLogger, testNatsUrl } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { startService } from '#src/service.ts';
import { request, Harness } from './harness.ts';

const stack = new AsyncDisposableStack();
const published: { subject: string; payout: Payout }[] = [];
const readiness = new Readiness();
let harness: Harness;

beforeAll(async () => {
  harness = stack.use(await Harness.open());
  const { url, database } = stack.use(await createTestDatabase('payouts', { migrations }));
  const env = { DATABASE_URL: url, NATS_URL: testNatsUrl() };
  const { signal } = new AbortController();
  stack.use(await startService({ name: 'payouts', env, logger: silentLogger, readiness, signal }));
  const handle = async (messages: readonly Message[]) => {
    for (const { subject, data } of messages) published.push({ subject, ...PayoutPaid.payload.parse(data) });
  };
  const { bus } = harness;
  const stream = streams.payoutsEvents;
  stack.use(startConsumer({ bus, database, logger: silentLogger, stream, durable: 'test', handle }));
});
afterAll(async () => stack.disposeAsync());

test('a payout goes from creation to PAID over the bus by itself, and its events reach the stream', async () => {
  const { bus } = harness;
  const account = harness.account(10_000);
  const { created, payout } = await callRpc(bus, createPayout, request(account));
  expect({ created, status: payout.status }).toEqual({ created: true, status: 'PROCESSING' });
  const key = { environment: 'test', accountId: account.id, id: payout.id } as const;
  await eventually(async () => expect((await callRpc(bus, getPayout, key)).payout.status).toBe('PAID'));
  const page = await callRpc(bus, listPayouts, { environment: 'test', accountId: account.id, limit: 10 });
  expect(page).toMatchObject({ payouts: [{ id: payout.id, status: 'PAID' }], nextCursor: null });
  await eventually(() =>
    expect(published.map((event) => [event.subject, event.payout.id, event.payout.status])).toEqual([
      ['event.payouts.payout.processing.v1', payout.id, 'PROCESSING'],
      ['event.payouts.payout.paid.v1', payout.id, 'PAID'],
    ]),
  );
  expect(await readiness.report()).toMatchObject({ checks: { database: 'ok', bus: 'ok' } });
});

test('what operators decide about a provider is asked for as soon as deposits says that it has changed', async () => {
  const { bus } = harness;
  let questions = 0;
  const answer = async () => {
    questions += 1;
    return { providers: [] };
  };
  await using serving = new AsyncDisposableStack();
  serving.use(await serveRpc(bus, [answering(listProviders, answer)], silentLogger));
  await eventually(() => expect(questions).toBeGreaterThan(0));
  const asked = questions;
  sendSignal(bus, providersChangedSignal, silentLogger);
  await eventually(() => expect(questions).toBeGreaterThan(asked), { timeoutMs: 3_000 });
});

test('refusals reach the caller with their code and the payout they are about', async () => {
  const { bus } = harness;
  const account = harness.account(5_100);
  const tooMuch = request(account, { amount: 5_001 });
  await expect(callRpc(bus, createPayout, tooMuch)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  const error: unknown = await callRpc(bus, createPayout, request(account, { key: 'timeout@sandbox.test' })).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  const id = (error as DomainError).extra['payout_id'] ?? '';
  const key = { environment: 'test', accountId: account.id, id } as const;
  expect((await callRpc(bus, getPayout, key)).payout.status).toBe('PROCESSING');
});

test('a payout of the connector is made under the settings the gateway answers for its key, whatever account the request brings', async () => {
  const { bus } = harness;
  const account = harness.account(100_000, { autoApprovePayouts: false });
  const holder = keyHolderOf(account);
  const asked: string[] = [];
  const gateway = answering(getKeyHolder, async ({ publicKey }) => {
    asked.push(publicKey);
    if (publicKey !== holder.publicKey) throw new DomainError('AUTH_INVALID', 'the key is not valid');
    return holder;
  });
  await using serving = new AsyncDisposableStack();
  serving.use(await serveRpc(bus, [gateway], silentLogger));
  const rich = harness.account(100_000);
  const forged = {
    ...request({ ...rich, autoApprovePayouts: true }),
    environment: 'live',
    publicKey: holder.publicKey,
  };
  const { payout } = await callRpc(bus, createConnectorPayout, forged);
  expect(payout).toMatchObject({ accountId: account.id, environment: 'test', status: 'PENDING' });
  const stranger = callRpc(bus, createConnectorPayout, { ...forged, publicKey: 'pk_test_2' });
  await expect(stranger).rejects.toMatchObject({ code: 'AUTH_INVALID' });
  expect(asked).toEqual(['pk_test_1', 'pk_test_2']);
});

test('a payout of the connector is not made for a frozen account, whatever the connector has let in', async () => {
  const { bus } = harness;
  const account = harness.account(100_000);
  const frozen = { level: 'payouts', at: 1_767_000_000 } as const;
  const holder = keyHolderOf(account, { publicKey: 'pk_test_3', frozen });
  await using serving = new AsyncDisposableStack();
  serving.use(await serveRpc(bus, [answering(getKeyHolder, async () => holder)], silentLogger));
  const wanted = { ...request(account), publicKey: holder.publicKey };
  await expect(callRpc(bus, createConnectorPayout, wanted)).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
});

test('a payout of the connector is not made while the gateway cannot say whose the key is', async () => {
  const { bus } = harness;
  const wanted = { ...request(harness.account(100_000)), publicKey: 'pk_test_1' };
  const creation = callRpc(bus, createConnectorPayout, wanted);
  await expect(creation).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
