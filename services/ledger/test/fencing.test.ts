import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { WriterClock } from '#src/writer/writer-clock.ts';
import { BatchWriter } from '#src/writer/batch-writer.ts';
import type { Session } from '#src/writer/session.ts';
import { acquireShard } from '#src/writer/shard-lease.ts';
import { creditDeposit } from './support/commands.ts';
import { messageOf, openPatientSession, startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

let ledger: DirectLedger;
beforeEach(async () => {
  ledger = await startDirectLedger();
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const available = async () =>
  await ledger.database.query<{ available: number }>('select available from balance order by available');

test('a writer that was replaced writes nothing', async () => {
  const accountId = newId('account');
  await ledger.write(creditDeposit(accountId));
  await ledger.database.query(`update shard set epoch = epoch + 1 where environment = 'test'`);
  await expect(ledger.write(creditDeposit(accountId))).rejects.toMatchObject({ name: 'FencedError' });
  expect(await available()).toEqual([{ available: 9_900 }]);
  expect(await ledger.database.query('select 1 from command')).toHaveLength(1);
});

test('a balance that is not as the writer remembers it is not changed: the next writer decides the command', async () => {
  const accountId = newId('account');
  await ledger.write(creditDeposit(accountId));
  for (const table of ['balance', 'system_balance']) {
    await ledger.database.query(`update ${table} set version = version + 1`);
  }
  const credit = creditDeposit(accountId);
  await expect(ledger.write(credit)).rejects.toMatchObject({ constraint: 'shard_rows_as_remembered' });
  expect(await available()).toEqual([{ available: 9_900 }]);
  await ledger.restart();
  expect(await ledger.write(credit)).toMatchObject([{ outcome: 'applied', replayed: false }]);
  expect(await available()).toEqual([{ available: 19_800 }]);
});

test('a shard is held by one process: another one waits for its lock for as long as the first has it', async () => {
  const other = await openPatientSession(ledger.url);
  const giveUp = new AbortController();
  let attempts = 0;
  const asking = {
    query: (...args: Parameters<typeof other.query>) => {
      if (++attempts === 3) giveUp.abort();
      return other.query(...args);
    },
  } as Session;
  const held = { environment: 'test', shard: 0 };
  await expect(acquireShard(asking, held, giveUp.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(attempts).toBe(3);
  await other.end();
});

test('nothing is decided behind a decision that lies in the future', async () => {
  const { database, session } = ledger;
  await database.query(`update shard set decided_at_ms = $1 where environment = 'test'`, [Date.now() + 86_400_000]);
  const shard = { environment: 'test', shard: 0 } as const;
  const lease = await acquireShard(session, shard, new AbortController().signal);
  const writer = new BatchWriter({
    ...{ session, lookUpSession: session, shard, lease },
    clock: new WriterClock({ now: () => Date.now() }),
    deadLetter: async () => undefined,
  });
  const writing = writer.write([messageOf(creditDeposit(newId('account')), 1)]);
  await expect(writing).rejects.toMatchObject({ name: 'ClockError', problem: 'head' });
  expect(await database.query('select 1 from command')).toEqual([]);
});

test('a reconciliation sees one moment, whatever is written after it has begun', async () => {
  await inSnapshot(ledger.database.pool, async (snapshot) => {
    const decided = () => snapshot.query('select 1 from command', []);
    expect(await decided()).toEqual([]);
    await ledger.write(creditDeposit(newId('account')));
    expect(await decided()).toEqual([]);
  });
});

test('of a batch that changes a dispute twice one event is published, with what the dispute holds in the end', async () => {
  const accountId = newId('account');
  const [depositId, disputeId] = [newId('deposit'), newId('dispute')];
  const owner = { environment: 'test', accountId, currency: 'BRL' } as const;
  const block = { kind: 'block-dispute', id: `block-dispute:${disputeId}`, disputeId, depositId } as const;
  await ledger.write(creditDeposit(accountId, { depositId, amount: 1_000, fee: 1_000 }), {
    ...{ ...block, ...owner },
    ...{ amount: 1_000, captureUntil: 2_000_000_000 },
  });
  await ledger.write(
    creditDeposit(accountId, { amount: 300, fee: 0 }),
    creditDeposit(accountId, { amount: 400, fee: 0 }),
  );
  const events = await ledger.database.query<{ payload: string }>('select payload from outbox');
  expect(events.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
    { disputeId, blocked: 700, shortfall: 300 },
  ]);
});
