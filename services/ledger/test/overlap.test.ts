import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { createTestDatabase } from '@gateway/test-kit';
import type { IncomingMessage } from '#src/consumer/incoming-message.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { ensurePartitions } from '#src/postgres/partitions.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { BatchWriter } from '#src/writer/batch-writer.ts';
import { acquireShard } from '#src/writer/shard-lease.ts';
import { WriterClock } from '#src/writer/writer-clock.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { messageOf, openPatientSession } from './support/direct-ledger.ts';

const shard = { environment: 'test', shard: 0 } as const;
const stack = new AsyncDisposableStack();
let db: Awaited<ReturnType<typeof createTestDatabase>>;
let writer: BatchWriter;
let deadLetters: string[];
let sequence = 0;

beforeAll(async () => {
  db = stack.use(await createTestDatabase('ledger', { migrations }));
  await ensurePartitions((script) => db.database.pool.query(script), Date.now());
  await db.database.query(`alter table command add constraint never_bad check (id not like '%:bad%')`);
  const [session, lookUpSession] = [await open(), await open()];
  const lease = await acquireShard(session, shard, new AbortController().signal);
  const options = { session, lookUpSession, shard, lease, clock: new WriterClock({ now: () => Date.now() }) };
  writer = new BatchWriter({ ...options, deadLetter: async ({ text }) => void deadLetters.push(idOf(text)) });
});
afterAll(() => stack.disposeAsync());
beforeEach(() => (deadLetters = []));

async function open(): Promise<Client> {
  return stack.adopt(await openPatientSession(db.url), async (session) => await session.end());
}

function idOf(text: string): string {
  return (JSON.parse(text) as LedgerCommand).id;
}

const batch = (...commands: LedgerCommand[]): IncomingMessage[] =>
  commands.map((command) => messageOf(command, ++sequence));

/** Writes both as the shard's writer does under load: the second is decided while the first is being committed. */
async function writeOverlapped(first: IncomingMessage[], second: IncomingMessage[]) {
  const answers = await writer.write(first, () => writer.prepare(second));
  return [answers, await writer.write(second)].map((some) => some.map(({ result }) => result));
}

async function expectProven(): Promise<void> {
  const checks = await reconcile(db.database.pool);
  expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
}

test('a batch decided during the commit of another one sees its balances, its records and its decisions', async () => {
  const accountId = newId('account');
  const credit = creditDeposit(accountId, { amount: 1_000, fee: 0 });
  const payoutId = newId('payout');
  const debit = debitPayout(accountId, { payoutId, id: `debit-payout:${payoutId}`, amount: 600, fee: 0 });
  const { id: _id, kind: _kind, ...body } = debit;
  const reversal = { ...body, kind: 'reverse-payout', id: `reverse-payout:${payoutId}` } as const;
  const [first, second] = await writeOverlapped(batch(credit, debit), batch(debit, { ...credit, fee: 1 }, reversal));
  expect(first?.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
  expect(second).toMatchObject([
    { outcome: 'applied', replayed: true, balances: [{ available: 400 }] },
    { outcome: 'conflict', field: 'fee' },
    { outcome: 'applied', replayed: false, balances: [{ available: 1_000 }] },
  ]);
  await expectProven();
});

test('what PostgreSQL refuses is set aside alone, and the batch decided on top of it is decided again', async () => {
  const accountId = newId('account');
  const credit = () => creditDeposit(accountId, { amount: 1_000, fee: 0 });
  const bad = { ...credit(), id: 'credit-deposit:bad-one' };
  const spend = debitPayout(accountId, { amount: 2_500, fee: 0 });
  const [first, second] = await writeOverlapped(batch(credit(), bad, credit()), batch(spend, credit()));
  expect(deadLetters).toEqual([bad.id]);
  expect(first?.map(({ balances }) => balances[0]?.available)).toEqual([1_000, 2_000]);
  expect(second).toMatchObject([
    { outcome: 'refused', refusal: 'insufficient_funds' },
    { outcome: 'applied', balances: [{ available: 3_000 }] },
  ]);
  await expectProven();
});
