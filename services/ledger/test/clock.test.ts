import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerCommand, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { LedgerCommandClient, ensureStreams, type Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { createTestBus, createTestDatabase, silentLogger } from '@gateway/test-kit';
import { lapseDisputes } from '#src/holdings/lapse-disputes.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { releaseDueDeposits } from '#src/holdings/release-due-deposits.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { shards } from '#src/shards.ts';
import { approveIncarnation, readLostRange } from '#src/witnesses/lost-range.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';

const dayMs = 86_400_000;
const shard = shards[1]!;

let stack: AsyncDisposableStack;
let url: string;
let database: Database;
let bus: Bus;
let ledgerClient: LedgerCommandClient;
let accountId: string;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ({ url, database } = stack.use(await createTestDatabase('ledger', { migrations })));
  bus = stack.use(await createTestBus());
  await ensureStreams(bus, [shard.stream], silentLogger);
  ledgerClient = stack.use(new LedgerCommandClient(bus));
  accountId = newId('account');
});
afterEach(async () => await stack.disposeAsync());

/** A replica whose clock is off by what the test says, from the moment it says so. */
function startWriter(clock: { offMs: number }): ShardWriter {
  const now = () => Date.now() + clock.offMs;
  return stack.use(new ShardWriter({ shard, databaseUrl: url, database, bus, logger: silentLogger, now }));
}

const ask = async (command: LedgerCommand) => await ledgerClient.request(ledgerCommand, command, { timeoutMs: 20_000 });
const decidedAt = async () =>
  (await database.query<{ at: Date }>(`select decided_at as at from result order by sequence`)).map(({ at }) =>
    at.getTime(),
  );

/** Asks, sees that nothing is decided, and answers what is decided after `release`. */
async function undecidedUntil(command: LedgerCommand, release: () => unknown): Promise<LedgerResult> {
  const before = await decidedAt();
  await expect(ledgerClient.request(ledgerCommand, command, { timeoutMs: 1_500 })).rejects.toThrow();
  expect(await decidedAt()).toEqual(before);
  release();
  return await ask(command);
}

describe('a writer whose clock is wrong', () => {
  test.each([
    ['40 days ahead', 40 * dayMs],
    ['an hour behind', -3_600_000],
  ])(
    '%s decides nothing; a replica with the right clock takes over, and no entry is dated wrong',
    async (_by, offMs) => {
      startWriter({ offMs });
      await undecidedUntil(creditDeposit(accountId), () => startWriter({ offMs: 0 }));
      const [at = 0] = await decidedAt();
      expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
    },
  );

  test('from one moment to the next stops deciding, and goes on when it is right again', async () => {
    const clock = { offMs: 0 };
    startWriter(clock);
    await ask(creditDeposit(accountId));
    clock.offMs = 40 * dayMs;
    await undecidedUntil(creditDeposit(accountId), () => (clock.offMs = 0));
    for (const at of await decidedAt()) expect(at).toBeLessThan(Date.now() + 10_000);
  });
});

describe('where the clock of PostgreSQL is off by a day', () => {
  /** What `clock_timestamp()` answers on new connections to this database is moved from then on. */
  async function movableDatabaseClock(): Promise<(aheadMs: number) => Promise<unknown>> {
    await database.query('create table clock_off (ms bigint not null)');
    await database.query('insert into clock_off values (0)');
    await database.query(
      `create function public.clock_timestamp() returns timestamptz language sql volatile
       return pg_catalog.clock_timestamp() + (select ms from public.clock_off) * interval '1 millisecond'`,
    );
    const name = new URL(url).pathname.slice(1);
    await database.query(`alter role current_user in database "${name}" set search_path = public, pg_catalog`);
    return async (aheadMs) => await database.query('update clock_off set ms = $1', [aheadMs]);
  }

  test.each([
    ['alone', dayMs, 0],
    ['alone, behind', -dayMs, 0],
    ['and that of the process the other way', dayMs, -dayMs],
  ])('%s, nothing is decided until they are right again', async (_how, aheadMs, offMs) => {
    const move = await movableDatabaseClock();
    const clock = { offMs: 0 };
    startWriter(clock);
    await ask(creditDeposit(accountId));
    await move(aheadMs);
    clock.offMs = offMs;
    await undecidedUntil(creditDeposit(accountId), () => {
      clock.offMs = 0;
      void move(0);
    });
    for (const at of await decidedAt()) expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  });
});

test('steps of five seconds, forward and back, hold up no decision and keep the order of entries', async () => {
  const clock = { offMs: 0 };
  startWriter(clock);
  for (const offMs of [0, 5_000, 0, -5_000, 5_000, -5_000]) {
    clock.offMs = offMs;
    const results = await Promise.all(Array.from({ length: 20 }, () => ask(creditDeposit(accountId))));
    expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([]);
  }
  const numbers = await database.query<{ number: number }>('select number from entry order by id');
  expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
});

test('behind a decision that lies in the future nothing is decided until time has caught up with it', async () => {
  await database.query(`update shard set decided_at_ms = $1 where environment = 'test'`, [Date.now() + dayMs]);
  startWriter({ offMs: 0 });
  const caughtUp = () =>
    void database.query(`update shard set decided_at_ms = $1 where environment = 'test'`, [Date.now()]);
  expect(await undecidedUntil(creditDeposit(accountId), caughtUp)).toMatchObject({ outcome: 'applied' });
});

test('two operators accept a decision that lies in the future: what follows is dated there, and nothing beyond it', async () => {
  const acceptedMs = Date.now() + 200 * dayMs;
  const endAt = (ms: number) => database.query(`update shard set decided_at_ms = $1 where environment = 'test'`, [ms]);
  await endAt(acceptedMs);
  const range = await readLostRange({ database, witnesses: [] }, shard);
  expect(range).toMatchObject({ contradictions: [], decidedAtMs: acceptedMs });
  expect(range.aheadMs).toBeGreaterThan(199 * dayMs);
  const by = { proposedBy: 'ana', approvedBy: 'bruno' };
  const first = startWriter({ offMs: 0 });
  const accept = () => void approveIncarnation({ database }, { approvalId: 'apr_1', range, ...by });
  expect(await undecidedUntil(creditDeposit(accountId), accept)).toMatchObject({ outcome: 'applied' });
  await first[Symbol.asyncDispose]();
  const second = startWriter({ offMs: 0 });
  expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied', link: { incarnation: 1 } });
  const [link] = await database.query<{ request: object }>('select request from result where sequence = 1');
  expect(link?.request).toMatchObject({ kind: 'incarnation', acceptedTimeMs: acceptedMs, ...by });
  for (const at of await decidedAt()) expect(at - acceptedMs).toSatisfy((ms: number) => ms > 0 && ms < 10_000);
  expect((await reconcile(database.pool)).filter(({ status }) => status !== 'OK')).toEqual([]);
  await second[Symbol.asyncDispose]();

  await endAt(acceptedMs + dayMs);
  startWriter({ offMs: 0 });
  const release = () => void endAt(acceptedMs);
  expect(await undecidedUntil(creditDeposit(accountId), release)).toMatchObject({ outcome: 'applied' });
});

describe('what a deadline gives away waits for both clocks', () => {
  const in100Days = Math.floor((Date.now() + 100 * dayMs) / 1_000);
  const never = () => Promise.reject(new Error('the ledger was asked'));

  beforeEach(async () => {
    startWriter({ offMs: 0 });
    const depositId = newId('deposit');
    const soon = Math.floor(Date.now() / 1_000) + 3_600;
    await ask(creditDeposit(accountId, { depositId, fee: 0 }));
    await ask(debitPayout(accountId, { amount: 9_000, fee: 0 }));
    const disputeId = newId('dispute');
    const block = {
      kind: 'block-dispute',
      id: `block-dispute:${disputeId}`,
      environment: 'test',
      currency: 'BRL',
    } as const;
    await ask({ ...block, accountId, disputeId, depositId, amount: 10_000, captureUntil: soon });
    await ask(creditDeposit(accountId, { releaseAt: soon }));
  });

  test('a shortfall, which a clock 100 days ahead does not lapse: the next credit is blocked', async () => {
    expect(await lapseDisputes(database, never, 'test', in100Days)).toBe(false);
    const { balances } = await ask(creditDeposit(accountId, { amount: 500, fee: 0 }));
    expect(balances).toMatchObject([{ available: 0, blocked: 1_500 }]);
  });

  test('retention, which such a clock does not end', async () => {
    expect(await releaseDueDeposits(database, never, 'test', in100Days)).toBe(false);
  });
});
