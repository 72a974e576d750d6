import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ledgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { type Bus, LedgerCommandClient } from '@gateway/messaging';
import { createTestBus, createTestDatabase, eventually, testNatsUrl, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { readWriters } from '#src/writer/writer-sessions.ts';
import { creditDeposit } from './support/commands.ts';
import { LedgerProcess } from './support/ledger-process.ts';

/** The bound on taking over, with the time the writers need to see what happened. */
const takeOverMaxMs = 5_000;

let stack: AsyncDisposableStack;
let db: TestDatabase;
let bus: Bus;
let ledgerClient: LedgerCommandClient;
let first: LedgerProcess;
let second: LedgerProcess;
const accountId = newId('account');

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  db = stack.use(await createTestDatabase('ledger', { migrations }));
  bus = stack.use(await createTestBus());
  ledgerClient = stack.use(new LedgerCommandClient(bus));
  // Nothing but a takeover signs a checkpoint in the time of a test.
  first = stack.use(await LedgerProcess.start(db.url, testNatsUrl(), { CHECKPOINT_INTERVAL_SEC: '3600' }));
  await first.untilReady();
  await credit();
  second = stack.use(await LedgerProcess.start(db.url, testNatsUrl(), { CHECKPOINT_INTERVAL_SEC: '3600' }));
  await second.untilReady();
});
afterEach(async () => await stack.disposeAsync());

async function credit(): Promise<number> {
  const result = await ledgerClient.request(ledgerCommand, creditDeposit(accountId), { timeoutMs: 15_000 });
  return result.balances[0]?.available ?? 0;
}

async function epoch(): Promise<number> {
  const [row] = await db.database.query<{ epoch: number }>(`select epoch from shard where environment = 'test'`);
  return row?.epoch ?? 0;
}

async function untilTakenOver(from: number): Promise<void> {
  await eventually(async () => expect(await epoch()).toBe(from + 1), { timeoutMs: takeOverMaxMs });
}

test('a second instance stands by, and takes over when the first one dies', async () => {
  const before = await epoch();
  expect(await credit()).toBe(2 * 9_900);
  expect(await epoch()).toBe(before);
  await first.kill();
  await untilTakenOver(before);
  expect(await credit()).toBe(3 * 9_900);
});

test('who writes a shard is known, since when, and how many would take over: also after a takeover, and of none', async () => {
  const startedSec = Math.floor(Date.now() / 1_000);
  const writer = async () => (await readWriters(db.database, bus)).find(({ environment }) => environment === 'test');
  const named = (process: LedgerProcess) => `${hostname()}:${process.pid}`.slice(-20);
  await eventually(async () => {
    expect(await writer()).toMatchObject({ environment: 'test', shard: 0, standbys: 1, waiting: 0 });
  });
  const before = await writer();
  expect(before?.writer).toContain(named(first));
  expect(before?.since).toBeLessThanOrEqual(startedSec);
  await first.kill();
  await eventually(async () => {
    const after = await writer();
    expect(after).toMatchObject({ standbys: 0, waiting: 0 });
    expect(after?.writer).toContain(named(second));
    expect(after?.since).toBeGreaterThanOrEqual(startedSec);
  });
  await second.kill();
  await eventually(async () => expect(await writer()).toMatchObject({ writer: null, since: null, standbys: 0 }));
  void ledgerClient.request(ledgerCommand, creditDeposit(accountId), { timeoutMs: 500 }).catch(() => undefined);
  await eventually(async () => expect((await writer())?.waiting).toBeGreaterThan(0));
});

test('the writer that takes a shard over signs what the one before had decided last, without a further decision', async () => {
  expect(await credit()).toBe(2 * 9_900);
  const tree = () => db.database.query(`select size from tree_head where environment = 'test'`);
  await eventually(async () => expect(await tree()).toEqual([{ size: 2 }]));
  const sizes = () => db.database.query(`select size from checkpoint_note where environment = 'test'`);
  expect(await sizes()).not.toContainEqual({ size: 2 });
  await first.kill();
  await eventually(async () => expect(await sizes()).toContainEqual({ size: 2 }), { timeoutMs: 30_000 });
});

test('a writer that hangs is replaced, and writes nothing when it wakes up', async () => {
  const before = await epoch();
  first.pause();
  await untilTakenOver(before);
  expect(await credit()).toBe(2 * 9_900);
  first.resume();
  expect(await credit()).toBe(3 * 9_900);
  await first.untilReady();
  expect(await credit()).toBe(4 * 9_900);
  expect(await epoch()).toBe(before + 1);
  const checks = await reconcile(db.database.pool);
  expect(checks.filter((check) => check.status !== 'OK')).toEqual([]);
});
