import { afterEach, beforeEach, expect, test } from 'vitest';
import { ledgerCommand } from '@gateway/contracts/ledger';
import { connectBus, ensureStreams, LedgerCommandClient } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { metricsText } from '@gateway/runtime';
import { createTestBus, createTestDatabase, eventually, silentLogger, testNatsUrl } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { shardLabel, shards } from '#src/shards.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';
import { BrokerClock } from './support/broker-clock.ts';
import { creditDeposit } from './support/commands.ts';

const hourSec = 3_600;
const shard = shards[1]!;

let stack: AsyncDisposableStack;
let broker: BrokerClock;
let database: Database;
let client: LedgerCommandClient;
let own: { offMs: number };
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const ledger = stack.use(await createTestDatabase('ledger', { migrations }));
  ({ database } = ledger);
  const senders = stack.use(await createTestBus());
  await ensureStreams(senders, [shard.stream], silentLogger);
  client = stack.use(new LedgerCommandClient(senders));
  broker = stack.use(await BrokerClock.of(testNatsUrl()));
  const bus = stack.use(await connectBus({ url: broker.url, name: 'writer', logger: silentLogger }));
  own = { offMs: 0 };
  const now = () => Date.now() + own.offMs;
  stack.use(new ShardWriter({ shard, databaseUrl: ledger.url, database, bus, logger: silentLogger, now }));
});
afterEach(async () => await stack.disposeAsync());

const decide = async (timeoutMs = 20_000) =>
  await client.request(ledgerCommand, creditDeposit(newId('account')), { timeoutMs });

const decidedAt = async () =>
  (await database.query<{ at: Date }>('select decided_at as at from result')).map(({ at }) => at.getTime());

/** By its labels without the shard's. */
async function measured(name: string): Promise<Readonly<Record<string, number>>> {
  const lines = (await metricsText()).text
    .split('\n')
    .filter((line) => line.startsWith(`gateway_ledger_clock_${name}{`));
  const values = lines.flatMap((line) => {
    const [, label = '', value] = /\{(?=.*shard="test\.0").*(?:against|problem)="(\w+)".*\} (\S+)/.exec(line) ?? [];
    return value === undefined ? [] : [[label, Number(value)] as const];
  });
  expect(shardLabel(shard)).toBe('test.0');
  return Object.fromEntries(values);
}

test.each([
  ['ahead', hourSec],
  ['behind', -hourSec],
])(
  'a broker whose clock alone is an hour %s holds up no decision, dates none, and is the one that is named',
  async (_how, aheadSec) => {
    const refusals = await measured('refusals_total');
    broker.aheadSec = aheadSec;
    const before = Date.now();
    const offsets = await eventually(
      async () => {
        expect(await decide()).toMatchObject({ outcome: 'applied' });
        const found = await measured('offset_seconds');
        expect(Math.abs(found['broker']! + aheadSec)).toBeLessThan(10);
        return found;
      },
      { timeoutMs: 20_000, everyMs: 2_500 },
    );
    expect(Math.abs(offsets['postgresql']!)).toBeLessThan(2);
    expect(await measured('refusals_total')).toEqual(refusals);
    for (const at of await decidedAt()) {
      expect(at).toBeGreaterThan(before - 10_000);
      expect(at).toBeLessThan(Date.now() + 10_000);
    }
  },
);

test('beside a broker with a wrong clock a process with another wrong one decides nothing, and neither is taken for the right one', async () => {
  broker.aheadSec = hourSec;
  expect(await decide()).toMatchObject({ outcome: 'applied' });
  const before = await measured('refusals_total');
  own.offMs = -2 * hourSec * 1_000;
  await expect(decide(3_000)).rejects.toThrow();
  const after = await measured('refusals_total');
  expect(after['unknown']!).toBeGreaterThan(before['unknown']!);
  for (const problem of ['process', 'postgresql', 'head']) expect(after[problem], problem).toBe(before[problem]);
  own.offMs = 0;
  expect(await decide()).toMatchObject({ outcome: 'applied' });
});
