import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  getReceipt,
  ledgerCommand,
  getReconciliation,
  listFindings,
  listReconciliations,
  noteFinding,
  rotateCheckpointKey,
  runReconciliation,
  signOffReconciliation,
} from '@gateway/contracts/ledger';
import { LedgerCommandClient, callRpc, type Bus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { openCheckpoint, readVerifier } from '@gateway/proof';
import { createTestBus, createTestDatabase, eventually, testNatsUrl, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { dueSince } from '#src/reconciliation/run-reconciliation.ts';
import { creditDeposit } from './support/commands.ts';
import { LedgerProcess } from './support/ledger-process.ts';
import { SteadySender } from './support/steady-sender.ts';

const stack = new AsyncDisposableStack();
let db: TestDatabase;
let bus: Bus;

beforeAll(async () => {
  db = stack.use(await createTestDatabase('ledger', { migrations }));
  bus = stack.use(await createTestBus());
  await stack.use(await LedgerProcess.start(db.url, testNatsUrl())).untilReady();
});
afterAll(async () => await stack.disposeAsync());

/** It reads the whole ledger, beside all else that a machine does. */
const run = () => callRpc(bus, runReconciliation, {}, { timeoutMs: 60_000 });

test('reconciliation runs by itself once a day, on demand at any time, and keeps its results', async () => {
  const list = () => callRpc(bus, listReconciliations, { limit: 10 });
  await eventually(async () => expect((await list()).reconciliations).toHaveLength(1));
  const now = await run();
  expect(now.status).toBe('OK');
  const { reconciliations } = await list();
  expect(reconciliations[0]).toEqual(now);
  expect(reconciliations).toHaveLength(2);
  const page = await callRpc(bus, listReconciliations, { limit: 1, cursor: now.id });
  expect(page).toEqual({ reconciliations: [reconciliations[1]], nextCursor: null });
  const filtered = async (filter: { status?: 'OK' | 'DISCREPANCY'; from?: number; to?: number }) =>
    (await callRpc(bus, listReconciliations, { limit: 10, ...filter })).reconciliations;
  const [newest, oldest] = reconciliations.map(({ startedAt }) => startedAt);
  expect(await filtered({ status: 'OK', from: oldest!, to: newest! + 1 })).toEqual(reconciliations);
  expect(await filtered({ status: 'DISCREPANCY' })).toEqual([]);
  expect(await callRpc(bus, getReconciliation, { id: now.id })).toEqual({ reconciliation: now });
  const unknown = callRpc(bus, getReconciliation, { id: newId('reconciliation') });
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await filtered({ from: newest! + 1 })).toEqual([]);
  expect(await filtered({ to: oldest! })).toEqual([]);
});

test('what was booked has a receipt by itself soon after, under the key that signs then', async () => {
  const ledgerClient = stack.use(new LedgerCommandClient(bus));
  const book = async (accountId: string) => {
    const { balances } = await ledgerClient.request(ledgerCommand, creditDeposit(accountId));
    expect(balances).toHaveLength(1);
    const [entry] = await db.database.query<{ id: string }>('select id from entry where account_id = $1', [accountId]);
    return { environment: 'test', accountId, entryId: entry!.id } as const;
  };
  const first = await book(newId('account'));
  await eventually(async () => expect((await callRpc(bus, getReceipt, first)).receipt).toMatchObject({ index: 0 }));
  const { keys } = await callRpc(bus, rotateCheckpointKey, { replaces: 1 });
  expect(keys.map(({ environment, number }) => [environment, number])).toEqual([
    ['live', 1],
    ['live', 2],
    ['test', 1],
    ['test', 2],
  ]);
  const second = await book(newId('account'));
  const verifier = readVerifier(keys.at(-1)!.text);
  await eventually(async () => {
    const { receipt } = await callRpc(bus, getReceipt, second);
    expect(openCheckpoint(receipt!.checkpoint, [verifier])).toMatchObject({
      origin: 'pay.example.com/ledger/test.0',
      size: 2,
    });
  });
});

test('a discrepancy is told by the result of the reconciliation', async () => {
  const ledgerClient = stack.use(new LedgerCommandClient(bus));
  await ledgerClient.request(ledgerCommand, creditDeposit(newId('account')));
  await db.database.query(`update balance set blocked = blocked + 1`);
  const { status, checks } = await run();
  expect(status).toBe('DISCREPANCY');
  const wrong = checks.find((check) => check.status === 'DISCREPANCY');
  expect(wrong).toMatchObject({ name: 'postings_equal_balances', environment: 'test' });
  expect(wrong?.findings[0]).toMatch(/blocked BRL: balance 1, postings 0$/);
});

test.each([
  ['2027-03-10T02:59:59Z', '2027-03-09T03:00:00.000Z'],
  ['2027-03-10T03:00:00Z', '2027-03-10T03:00:00.000Z'],
  ['2027-03-01T00:00:00Z', '2027-02-28T03:00:00.000Z'],
])('at %s the reconciliation of %s is due', (now, due) => {
  expect(dueSince(Date.parse(now), 3).toISOString()).toBe(due);
});

test('a ledger that falls behind says so, and senders turn new work away with a time to come back', async () => {
  const sender = new SteadySender(bus.connection);
  const ledgerClient = stack.use(new LedgerCommandClient(bus));
  const ask = () => ledgerClient.request(ledgerCommand, creditDeposit(newId('account')), { timeoutMs: 500 });
  const isTurnedAway = () =>
    expect(ask()).rejects.toMatchObject({
      message: 'the ledger service has too much to do',
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSec: expect.any(Number) as number,
    });
  // The wait is announced once the ledger knows its own rate: it learns it from the commands of the rounds before.
  await eventually(async () => {
    const client = await db.database.pool.connect();
    // Another session's hold on the shard's row stops the writer while commands pile up.
    await client.query('begin');
    await client.query(`select 1 from shard where environment = 'test' for update`);
    const commands = Array.from({ length: 5_000 }, () => creditDeposit(newId('account')));
    const sending = sender.sendAll(commands, 10_000);
    try {
      await eventually(isTurnedAway, { timeoutMs: 5_000 });
    } finally {
      await client.query('commit');
      client.release();
      await sending;
    }
  });
  await eventually(async () => expect(await ask()).toMatchObject({ outcome: 'applied' }));
});

test('what a reconciliation found is kept one by one, takes a note, and is answered for once', async () => {
  const { id, checks } = await run();
  const name = 'postings_equal_balances' as const;
  const listed = async (more: object = {}) => await callRpc(bus, listFindings, { id, name, limit: 50, ...more });
  const { findings } = await listed();
  expect(findings.map(({ text }) => text)).toEqual(
    checks.find((check) => check.name === name && check.environment === 'test')?.findings,
  );
  expect(findings.length).toBeGreaterThan(1);
  const of = { environment: 'test', kind: 'balance_differs', currency: 'BRL', recordId: null, note: null };
  expect(findings[0]).toMatchObject({
    ...of,
    id: 'test.1',
    accountId: expect.stringMatching(/^acc_/) as string,
    expected: '0',
    found: '1',
  });
  const first = await listed({ limit: 1 });
  expect([first.findings, first.nextCursor]).toEqual([findings.slice(0, 1), 'test.1']);
  expect((await listed({ cursor: 'test.1' })).findings).toEqual(findings.slice(1));
  expect((await listed({ environment: 'live' })).findings).toEqual([]);
  const note = { id, name, finding: 'test.1', note: 'planted', by: 'ana' };
  expect((await callRpc(bus, noteFinding, note)).before.note).toBeNull();
  expect((await listed()).findings[0]?.note).toMatchObject({ text: 'planted', by: 'ana' });
  await expect(callRpc(bus, noteFinding, { ...note, finding: 'test.999' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });

  const signOff = { id, by: 'ana, bruno', reason: 'planted', approvalId: 'apr_1' };
  for (let times = 0; times < 2; times++) {
    expect((await callRpc(bus, signOffReconciliation, signOff)).after.signedOff).toMatchObject({ by: 'ana, bruno' });
  }
  const others = callRpc(bus, signOffReconciliation, { ...signOff, approvalId: 'apr_2' });
  await expect(others).rejects.toMatchObject({ code: 'INVALID_STATE' });
  const { reconciliation } = await callRpc(bus, getReconciliation, { id });
  expect(reconciliation).toMatchObject({
    status: 'DISCREPANCY',
    signedOff: { reason: 'planted', approvalId: 'apr_1' },
  });
});
