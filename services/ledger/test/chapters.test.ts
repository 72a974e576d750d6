import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { silentLogger } from '@gateway/test-kit';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { closeChapter } from '#src/chapters/close-chapter.ts';
import { readChapters } from '#src/chapters/chapter.ts';
import { proposeChapter } from '#src/chapters/propose-chapter.ts';
import { readBase } from '#src/reconciliation/chapter-base.ts';
import { LedgerSums } from '#src/reconciliation/ledger-sums.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { verifyWholeChain, walkNextChapters } from '#src/reconciliation/verify-chapter.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, testShard, type ProofByHand } from './support/proof.ts';

let ledger: DirectLedger;
let proof: ProofByHand;
let nowMs: number;
const [one, other] = [newId('account'), newId('account')];

beforeEach(async () => {
  nowMs = Date.parse('2026-07-10T12:00:00Z');
  ledger = await startDirectLedger(() => nowMs);
  proof = await proofOf(ledger.database);
  await ledger.write(creditDeposit(one), creditDeposit(other, { releaseAt: 1_900_000_000 }), debitPayout(one));
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const query = <Row extends object>(sql: string) => ledger.database.query<Row>(sql);
const damage = (sql: string) => ledger.database.pool.query(sql);
const at = (time: string) => void (nowMs = Date.parse(time));
const chapterLinks = () =>
  query<{ id: string; sequence: number }>(
    `select id, sequence from command where id like 'chapter:%' order by sequence`,
  );

async function close(): Promise<boolean> {
  await proof.follow();
  const { database, append } = ledger;
  return await closeChapter({ database, logger: silentLogger, append, nowMs: async () => nowMs }, testShard);
}

async function findings(): Promise<string[]> {
  return (await reconcile(ledger.database.pool)).flatMap((check) => check.findings);
}

const verifyAll = async () =>
  await verifyWholeChain(ledger.database.pool, testShard, () => expect.unreachable('a chapter is not there'));

/** Three months with links, of which July and August are closed; nothing is verified yet. */
async function closeTwoMonths(): Promise<void> {
  at('2026-08-01T00:02:00Z');
  expect(await close()).toBe(true);
  await ledger.write(creditDeposit(one), adjust(other, -100), creditDeposit(newId('account')));
  at('2026-09-01T00:00:01Z');
  await ledger.write(creditDeposit(one));
  at('2026-09-03T00:00:00Z');
  expect(await close()).toBe(true);
  await ledger.write(creditDeposit(other), debitPayout(one));
  await proof.follow();
}

test('a month is closed by one link, however often it is tried and whichever writer tries it', async () => {
  expect(await close()).toBe(false);
  at('2026-08-01T00:00:30Z');
  expect(await close()).toBe(false);
  at('2026-08-01T00:02:00Z');
  expect(await close()).toBe(true);
  expect(await close()).toBe(false);
  await ledger.restart();
  expect(await close()).toBe(false);
  expect(await chapterLinks()).toEqual([{ id: 'chapter:test.0:2026-07', sequence: 4 }]);
  await ledger.write(creditDeposit(one));
  at('2026-09-10T00:00:00Z');
  expect(await close()).toBe(true);
  expect((await chapterLinks()).map(({ id }) => id)).toEqual(['chapter:test.0:2026-07', 'chapter:test.0:2026-08']);
  expect(await findings()).toEqual([]);
});

test('a writer that dies between the state and the link leaves the same chapter to the next one, which writes one link', async () => {
  at('2026-08-05T00:00:00Z');
  expect(await proposeChapter(ledger.database.pool, testShard, nowMs)).toBe(true);
  expect(await proposeChapter(ledger.database.pool, testShard, nowMs)).toBe(false);
  await ledger.restart();
  await ledger.write(creditDeposit(one));
  expect(await close()).toBe(true);
  expect(await chapterLinks()).toEqual([{ id: 'chapter:test.0:2026-07', sequence: 5 }]);
  const [chapter] = await readChapters((text, params) => ledger.database.query(text, params), testShard);
  expect(chapter).toMatchObject({ firstLink: 1, lastLink: 3, isClosed: true });
  expect(await verifyAll()).toMatchObject({ firstBreak: null, links: 5 });
});

test('what is decided in the month after its state was read makes the state be read anew', async () => {
  at('2026-08-05T00:00:00Z');
  await proposeChapter(ledger.database.pool, testShard, nowMs);
  at('2026-07-31T23:59:59Z');
  await ledger.write(creditDeposit(one));
  at('2026-08-05T00:00:00Z');
  expect(await close()).toBe(false);
  expect(await close()).toBe(true);
  const [chapter] = await readChapters((text, params) => ledger.database.query(text, params), testShard);
  expect(chapter).toMatchObject({ lastLink: 4, isClosed: true });
  expect(await query('select distinct sequence from kept_balance')).toEqual([{ sequence: 4 }]);
});

test('a chapter that was proposed by a clock that is ahead is not closed before its month has ended', async () => {
  await proof.follow();
  const { database, append } = ledger;
  const ahead = async () => Date.parse('2026-08-01T00:02:00Z');
  const closeAhead = async () =>
    await closeChapter({ database, logger: silentLogger, append, nowMs: ahead }, testShard);
  at('2026-07-31T23:59:59.999Z');
  expect(await closeAhead()).toBe(false);
  expect(await closeAhead()).toBe(false);
  await ledger.write(creditDeposit(one));
  at('2026-08-01T00:02:00Z');
  expect(await close()).toBe(false);
  expect(await close()).toBe(true);
  const late = `select from result where decided_at < '2026-08-01' and sequence >= (select min(sequence) from command where id like 'chapter:%')`;
  expect(await query(late)).toEqual([]);
  expect(await verifyAll()).toEqual({ links: 5, firstBreak: null });
});

test('a month without decisions has no chapter, and one link closes all months before the first chapter', async () => {
  at('2026-10-02T00:00:00Z');
  await ledger.write(creditDeposit(one));
  expect(await close()).toBe(true);
  expect(await close()).toBe(false);
  expect((await chapterLinks()).map(({ id }) => id)).toEqual(['chapter:test.0:2026-09']);
});

test('a chapter is verified from the balances at the end of the one before, and what follows from its own', async () => {
  await closeTwoMonths();
  expect(await verifyAll()).toEqual({ links: 11, firstBreak: null });
  const base = async () =>
    (await inSnapshot(ledger.database.pool, (snapshot) => readBase(snapshot, testShard, new LedgerSums()))).base;
  expect((await base()).sequence).toBe(0);
  expect(await findings()).toEqual([]);
  await walkNextChapters(ledger.database.pool);
  expect((await base()).sequence).toBe(3);
  expect(await findings()).toEqual([]);
  await walkNextChapters(ledger.database.pool);
  expect((await base()).sequence).toBe(8);
  expect(await findings()).toEqual([]);
});

describe('with two chapters verified', () => {
  beforeEach(async () => {
    await closeTwoMonths();
    await walkNextChapters(ledger.database.pool);
    await walkNextChapters(ledger.database.pool);
  });

  test('a byte in the newest chapter is found by the next reconciliation, one in an old chapter by the walk', async () => {
    await damage(`update entry set balance_after = balance_after + 1 where sequence = 1`);
    expect(await findings()).toEqual([]);
    expect((await verifyAll()).firstBreak).toMatchObject({ sequence: 1 });
    await walkNextChapters(ledger.database.pool);
    expect(await findings()).toEqual([expect.stringContaining('chapter 2026-07: result 1 (credit-deposit:')]);
    await damage(`update entry set balance_after = balance_after - 1 where sequence = 1`);
    await walkNextChapters(ledger.database.pool);
    await walkNextChapters(ledger.database.pool);
    expect(await findings()).toEqual([]);
    await damage(`update entry set amount = amount + 1 where sequence = 10`);
    expect(await findings()).toContainEqual(expect.stringContaining('result 10 (credit-deposit:'));
  });

  test.each([
    ['a balance that was changed long after its last entry', `update balance set pending = pending + 1`, 'balance 1'],
    [
      'a kept balance',
      `update kept_balance set available = available + 1`,
      'the balances that were kept are not those',
    ],
    ['the row of a chapter', `update chapter set references_hash = sha256('x')`, 'is not the one that its link has'],
    [
      'the link of a chapter',
      `update result set request = '{}' where sequence = 9`,
      'is not the one that its link has',
    ],
    ['the end of a chapter', `update chapter set last_link = last_link - 1`, 'is not the one that its link has'],
    ['an entry without a result', `update entry set sequence = 900 where sequence = 10`, 'result 10'],
    ['a tile', `update tree_tile set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`, 'the tree is not'],
    ['a balance and the one that was kept', bothBalances(), 'the balances that were kept are not those'],
  ])('%s, when it was changed, is found by the next reconciliation', async (_what, sql, problem) => {
    await damage(sql);
    expect(await findings()).toContainEqual(expect.stringContaining(problem));
  });

  test('an entry that belongs to no result of an old chapter is found by the walk', async () => {
    const [entry] = await query<{ id: string }>(`select id from entry where sequence = 7`);
    await damage(`insert into entry select environment, account_id, currency, left(id, -1) || case right(id, 1) when '0' then '1' else '0' end, shard,
      900, number, type, amount, ref_type, ref_id, balance_after from entry where id = '${entry!.id}'`);
    expect((await verifyAll()).firstBreak?.problem).toContain('belongs to no result');
  });
});

function bothBalances(): string {
  return `update balance set pending = pending + 1 where pending > 0;
    update kept_balance set pending = pending + 1 where pending > 0`;
}
