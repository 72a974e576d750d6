import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { connectBus, ensureStreams, type Bus } from '@gateway/messaging';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { shards } from '#src/shards.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';
import { creditDeposit } from './support/commands.ts';
import { NatsProcess } from './support/nats-process.ts';
import { SteadySender } from './support/steady-sender.ts';

const perSecond = 400;

let stack: AsyncDisposableStack;
let nats: NatsProcess;
let db: TestDatabase;
let bus: Bus;
let sender: SteadySender;
const accountId = newId('account');

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  nats = stack.use(await NatsProcess.start());
  db = stack.use(await createTestDatabase('ledger', { migrations }));
  bus = stack.use(await connectBus({ url: nats.url, name: 'test', logger: silentLogger }));
  await ensureStreams(
    bus,
    shards.map((shard) => shard.stream),
    silentLogger,
  );
  for (const shard of shards) stack.use(writerOf(shard));
  sender = new SteadySender(bus.connection);
});
afterEach(async () => await stack.disposeAsync());

function writerOf(shard: (typeof shards)[number]): ShardWriter {
  const now = () => Date.now();
  return new ShardWriter({ shard, databaseUrl: db.url, database: db.database, bus, logger: silentLogger, now });
}

const deposits = (count: number) => Array.from({ length: count }, () => creditDeposit(accountId));

/** Every command decided once, every answer kept, and the ledger agrees with itself. */
async function expectNothingLost(commands: readonly LedgerCommand[]): Promise<void> {
  const results = await db.database.query<{ id: string }>(`select command_id as id from result order by sequence`);
  expect(results.map((result) => result.id).toSorted()).toEqual(commands.map((command) => command.id).toSorted());
  for (const answers of sender.answers.values()) for (const answer of answers) expect(answer.outcome).toBe('applied');
  const checks = await reconcile(db.database.pool);
  expect(checks.filter((check) => check.status !== 'OK')).toEqual([]);
}

test('a broker rolled back to an earlier copy: nothing answered is lost, nothing is applied twice', async () => {
  const [before, lost, after] = [deposits(100), deposits(300), deposits(600)];
  await sender.sendAll(before, perSecond);
  await nats.kill();
  await nats.copyData();
  nats.restart();
  await sender.sendAll(lost, perSecond);
  await nats.kill();
  await nats.rollBackData();
  nats.restart();
  // New commands now take the sequences of those that were lost, and go far beyond them.
  await sender.sendAll(after, perSecond);
  await expectNothingLost([...before, ...lost, ...after]);
});

test('a broker that comes back without any data is read from its new beginning', async () => {
  const [before, after] = [deposits(200), deposits(300)];
  await sender.sendAll(before, perSecond);
  await nats.kill();
  await nats.loseData();
  nats.restart();
  await sender.sendAll(after, perSecond);
  await expectNothingLost([...before, ...after]);
});

test('a broker killed in the middle of a load loses no command that its sender keeps asking', async () => {
  const commands = deposits(800);
  const sending = sender.sendAll(commands, perSecond);
  await nats.kill();
  nats.restart();
  await sending;
  await expectNothingLost(commands);
});
