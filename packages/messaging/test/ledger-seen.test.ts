import { afterEach, beforeEach, expect, test } from 'vitest';
import { getLedgerSeenByDeposits, type ChainLink } from '@gateway/contracts/ledger';
import { kitMigrations, type Database } from '@gateway/persistence';
import { createTestBus, createTestDatabase, eventually, silentLogger } from '@gateway/test-kit';
import type { Bus } from '#src/bus/bus.ts';
import { LedgerSeen, ledgerSeenTable } from '#src/ledger-client/ledger-seen.ts';
import { callRpc } from '#src/rpc/call-rpc.ts';
import { serveRpc } from '#src/rpc/serve-rpc.ts';

let stack: AsyncDisposableStack;
let bus: Bus;
let database: Database;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  bus = stack.use(await createTestBus());
  const migrations = [...kitMigrations, ledgerSeenTable];
  ({ database } = stack.use(await createTestDatabase('deposits', { migrations })));
});
afterEach(async () => await stack.disposeAsync());

const link = (sequence: number, incarnation = 0): ChainLink => ({
  ...{ shard: 0, incarnation, sequence },
  hash: sequence.toString(16).padStart(64, '0'),
});
const startSeen = (): LedgerSeen => new LedgerSeen({ service: 'deposits', database, logger: silentLogger });
const stored = async () =>
  await database.query('select environment, shard, incarnation, sequence from ledger_seen order by environment');

/** What the ledger is answered. */
async function asked(seen: LedgerSeen, environment: 'live' | 'test' = 'live'): Promise<ChainLink | null> {
  await using served = await serveRpc(bus, [seen.route], silentLogger);
  void served;
  return (await callRpc(bus, getLedgerSeenByDeposits, { environment, shard: 0 })).seen;
}

test('the highest link of each shard is kept, whatever order the answers come in, and answered before it is written', async () => {
  await using seen = startSeen();
  for (const sequence of [3, 9, 4]) seen.saw('live', link(sequence));
  seen.saw('test', link(2));
  expect(await asked(seen)).toEqual(link(9));
  expect(await asked(seen, 'test')).toEqual(link(2));
});

test('before the first answer nothing was seen', async () => {
  await using seen = startSeen();
  expect(await asked(seen)).toBeNull();
});

test('a thousand answers are written as one row, of which the next process knows', async () => {
  const seen = startSeen();
  const writes: string[] = [];
  const query = database.query.bind(database);
  database.query = (text: string, ...rest) => {
    if (text.includes('insert into ledger_seen')) writes.push(text);
    return query(text, ...rest);
  };
  for (let sequence = 1; sequence <= 1_000; sequence++) seen.saw('live', link(sequence));
  await eventually(async () => expect(await stored()).toEqual([expect.objectContaining({ sequence: 1_000 })]));
  expect(writes).toHaveLength(1);
  await seen[Symbol.asyncDispose]();
  await using next = startSeen();
  expect(await asked(next)).toEqual(link(1_000));
});

test('a process that ends writes what it has seen, and never less than another one has written', async () => {
  const [ahead, behind] = [startSeen(), startSeen()];
  behind.saw('live', link(7));
  ahead.saw('live', link(8));
  await ahead[Symbol.asyncDispose]();
  await behind[Symbol.asyncDispose]();
  expect(await stored()).toMatchObject([{ environment: 'live', sequence: 8 }]);
  await using next = startSeen();
  next.saw('live', link(5));
  expect(await asked(next)).toEqual(link(8));
});

test('a link of a later incarnation is beyond every link of an earlier one', async () => {
  const seen = startSeen();
  seen.saw('live', link(100));
  seen.saw('live', link(12, 1));
  seen.saw('live', link(90));
  await seen[Symbol.asyncDispose]();
  expect(await stored()).toMatchObject([{ incarnation: 1, sequence: 12 }]);
});
