import { afterEach, beforeEach, expect, test } from 'vitest';
import { idLowerBound, newId } from '@gateway/money';
import { silentLogger } from '@gateway/test-kit';
import { readLinks } from '#src/chain/list-links.ts';
import { closeChapter } from '#src/chapters/close-chapter.ts';
import type { Finding } from '#src/reconciliation/findings.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { verifyWholeChain, walkNextChapters } from '#src/reconciliation/verify-chapter.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, testShard } from './support/proof.ts';

let ledger: DirectLedger;
let nowMs: number;
const account = newId('account');

/** Links 1 to 3 are of July, whose chapter is closed by link 4; 5 and 6 are of August, closed by 7; 8 and 9 follow. */
beforeEach(async () => {
  nowMs = Date.parse('2026-07-10T12:00:00Z');
  ledger = await startDirectLedger(() => nowMs);
  const proof = await proofOf(ledger.database);
  await ledger.write(creditDeposit(account), creditDeposit(account), debitPayout(account));
  for (const time of ['2026-08-01T00:02:00Z', '2026-09-01T00:02:00Z']) {
    nowMs = Date.parse(time);
    await proof.follow();
    const { database, append } = ledger;
    await closeChapter({ database, logger: silentLogger, append, nowMs: async () => nowMs }, testShard);
    await ledger.write(creditDeposit(account), adjust(account, -100));
  }
  await proof.follow();
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const damage = (sql: string, params: readonly unknown[] = []) => ledger.database.pool.query(sql, [...params]);
const walk = () => walkNextChapters(ledger.database.pool);
const findings = async () => (await reconcile(ledger.database.pool)).flatMap((check) => check.findings);
const verify = async () =>
  (await verifyWholeChain(ledger.database.pool, testShard, () => expect.unreachable('a chapter is not there')))
    .firstBreak?.problem;

/** An entry that no decision wrote, made at a moment and with the number of a result. */
async function plant(at: string, sequence: number): Promise<string> {
  const id = `${idLowerBound('ledgerEntry', Date.parse(at)).slice(0, -1)}7`;
  await damage(
    `insert into entry select environment, $3, currency, $1, shard, $2, number, type, amount, ref_type, ref_id, balance_after
     from entry where sequence = 1`,
    [id, sequence, newId('account')],
  );
  return id;
}

test('an entry without a result is named, whatever its number and its time', async () => {
  const planted = [
    ['of a decision that is not there', '2026-09-01T00:02:01Z', 900],
    ['of an old decision, made in a later month', '2026-09-01T00:02:01Z', 1],
    ['of a decision of its month, made at another moment', '2026-07-10T12:00:01Z', 6],
    ['of a later month, made in an old one', '2026-07-10T12:00:01Z', 8],
  ] as const;
  for (const [what, at, sequence] of planted) {
    const id = await plant(at, sequence);
    expect(await verify(), what).toBe(`entry ${id} belongs to no result`);
    expect((await findings()).join(), what).toMatch(
      new RegExp(`entry ${id} belongs to no result|its entries were changed`),
    );
    await damage('delete from entry where id = $1', [id]);
  }
  await walk();
  await walk();
  const id = await plant('2026-07-20T12:00:00Z', 6);
  await walk();
  await walk();
  expect(await findings()).toContain(`chapter 2026-08: entry ${id} belongs to no result`);
  await damage('delete from entry where id = $1', [id]);
  await walk();
  const later = await plant('2026-09-01T00:02:01Z', 1);
  expect(await findings()).toContain(`entry ${later} belongs to no result`);
});

test('an entry whose number or running balance is off is named, and the record that it is about', async () => {
  const { rows } = await damage(
    'update entry set number = number + 5, balance_after = balance_after + 1 where sequence = 8 returning id, ref_id',
  );
  const [{ id: entryId, ref_id: recordId }] = rows as [{ id: string; ref_id: string }];
  const found: Finding[] = [];
  await reconcile(ledger.database.pool, undefined, undefined, (_check, each) => found.push(...each));
  const about = { accountId: account, currency: 'BRL', entryId, recordId };
  for (const kind of ['running_balance_breaks', 'numbering_breaks'])
    expect(found, kind).toContainEqual(expect.objectContaining({ ...about, kind }));
});

test('a value of another form names the broken link, and the reader of links gets it', async () => {
  const { rows } = await damage('select request, amounts, balances, postings from result where sequence = 2');
  for (const [column, json, problem] of [
    ['request', 'null', 'result 2 (credit-deposit:'],
    ['request', '[]', 'result 2 (credit-deposit:'],
    ['request', '7', 'result 2 (credit-deposit:'],
    ['amounts', 'null', 'or its entries were changed'],
    ['amounts', '[]', 'or its entries were changed'],
    ['balances', 'null', 'or its entries were changed'],
    ['balances', '[null]', 'or its entries were changed'],
    ['postings', 'null', 'or its entries were changed'],
  ] as const) {
    await damage(`update result set ${column} = $1 where sequence = 2`, [json]);
    expect(await verify(), `${column} ${json}`).toContain(problem);
    expect(await findings(), `${column} ${json}`).toContainEqual(expect.stringContaining(problem));
    const page = { shard: 0, environment: 'test', after: 1, afterMs: 0, limit: 2 } as const;
    expect((await readLinks(ledger.database, page)).links).toHaveLength(2);
    const [before] = rows as Record<string, unknown>[];
    await damage(`update result set ${column} = $1 where sequence = 2`, [JSON.stringify(before![column])]);
  }
  expect(await verify()).toBeUndefined();
});

test('the link of a chapter whose request is null is named', async () => {
  await walk();
  await damage(`update result set request = 'null' where sequence = 4`);
  expect(await findings()).toContain('chapter 2026-07 is not the one that its link has closed');
});

test('a chapter that stays unsound takes no turn of another one, and is recomputed every night', async () => {
  await damage(`update entry set amount = amount + 1 where sequence = 1`);
  await walk();
  await walk();
  await damage(`update entry set amount = amount + 1 where sequence = 5`);
  await walk();
  await walk();
  expect(await findings()).toEqual(
    expect.arrayContaining([
      expect.stringContaining('chapter 2026-07: '),
      expect.stringContaining('chapter 2026-08: '),
    ]),
  );
  await damage(`update entry set amount = amount - 1 where sequence in (1, 5)`);
  await walk();
  await walk();
  expect(await findings()).toEqual([]);
});

test('a chapter that cannot be read is reported, and keeps nothing else from being verified', async () => {
  await damage('alter table kept_balance rename column pending to was_pending');
  await walk();
  await damage('alter table kept_balance rename column was_pending to pending');
  expect(await findings()).toContainEqual(expect.stringContaining('chapter 2026-07: it cannot be verified: '));
  await walk();
  expect(await findings()).toEqual([]);
});
