import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { idSequence, type IdKind } from '@gateway/money';
import { approveResolution, proposeResolution } from '#src/matching/decide-exception.ts';
import { enterStoredLines } from '#src/matching/items-arrived.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { sweep } from '#src/matching/sweep.ts';
import { dumpLines } from '#src/months/dump-lines.ts';
import { firstMonthOf } from '#src/months/first-month.ts';
import { removeBefore } from '#src/months/remove-months.ts';
import { arrive, compare, line, matchesOf, noon, openBooks } from './books.ts';
import { account, record, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  await compare(database);
  await database.pool.query('truncate reading, adjustment, day_close, kept_months');
  sides = new SidesByHand(database);
  services = sides.services;
});

const at = (day: string, hour = 12) => new Date(`2026-${day}T${hour}:00:00Z`);
const idAt = (kind: IdKind) => idSequence(kind)(services.now.getTime());

/** A payment of that day which all three sides have. */
async function paid(day: string, amount: number): Promise<string> {
  services.now = at(day);
  const [id, e2eId] = [idAt('deposit'), `E${day}`];
  services.credit(id, amount, { e2eId, atMs: services.now.getTime() });
  await arrive(database, { lines: [line(e2eId, amount, { e2eId, bookedAt: services.now })] }, services.now);
  await sides.readLedger();
  return id;
}

const transit = (amount: number): [string, string, string, number] => ['transit:payouts', 'system', 'BRL', amount];

/** A payout that is debited on the one day and settled on the other. */
async function paidOut(debited: string, settled: string): Promise<string> {
  services.now = at(debited);
  const id = idAt('payout');
  services.decide({ kind: 'debit-payout', id: `debit-payout:${id}` }, [
    [account, 'available', 'BRL', -700],
    transit(700),
  ]);
  const payout = record('payout', id, { amount: 700, state: 'SETTLING', e2eId: `P${id}`, atMs: at(debited).getTime() });
  services.records.push(payout);
  await sides.readLedger();
  services.now = at(settled);
  const postings = [transit(-700), ['provider:efi', 'system', 'BRL', 700] as [string, string, string, number]];
  services.decide({ kind: 'settle-payout', id: `settle-payout:${id}` }, postings);
  services.records[services.records.indexOf(payout)] = { ...payout, state: 'PAID' };
  const sent = line(`P${id}`, -700, { kind: 'payout', e2eId: `P${id}`, bookedAt: services.now });
  await arrive(database, { lines: [sent] }, services.now);
  await sides.readLedger();
  return id;
}

/** All days of the account up to that one are closed. */
async function closed(day: string): Promise<void> {
  await database.query(
    `insert into day_close (provider, currency, day, opening, lines, closing, unexplained_plus, unexplained_minus,
       closed_at, closed_by) values ('efi', 'BRL', $1, 0, 0, 0, 0, 0, now(), 'reconciler')`,
    [`2026-${day}`],
  );
}

async function removeBeforeMay() {
  return await removeBefore(database, await firstMonthOf(database, '2026-05', noon));
}

const subjects = async () =>
  (await matchesOf(database)).matches.map(({ subject, state }) => `${subject} ${state}`).sort();
const openExceptions = () =>
  database.query(`select subject, reason from exception where state in ('OPEN', 'PROPOSED')`);

/** What people decided about stays, what has an item of a later time, and what is not old. */
async function historyOfYears() {
  const gone = await paid('03-10', 5_000);
  const goneToo = await paidOut('03-11', '03-12');
  await arrive(database, { lines: [line('strange', 44, { kind: 'other', bookedAt: at('03-13') })] }, at('03-13'));
  await sweep({ database, now: () => at('03-14') });
  const [{ id } = { id: '' }] = await database.query<{ id: string }>('select id from exception');
  const foreign = { action: 'foreign', note: 'not ours' };
  await database.transaction((tx) => proposeResolution(tx, { id, operator: 'ana', now: at('03-14') }, foreign));
  await database.transaction((tx) => approveResolution(tx, { id, operator: 'bia', now: at('03-14') }));
  const decided = await paid('03-15', 60);
  await database.query(
    `insert into exception (id, environment, provider, currency, subject, reason, amount, p_amount, r_amount, l_amount,
       state, opened_at, proposed_by, resolved_by) values ('exc_decided', 'live', 'efi', 'BRL', $1, 'amount_differs', 1, 59,
       60, 60, 'RESOLVED', '2026-03-16', 'ana', 'bia')`,
    [`payment:${decided}`],
  );
  const between = await paidOut('04-30', '05-02');
  const young = await paid('08-01', 900);
  await closed('04-30');
  return { gone, goneToo, decided, between, young };
}

test('what was explained before the month is removed; what people decided, and what has a later item, stays', async () => {
  const { decided, between, young } = await historyOfYears();
  expect(await removeBeforeMay()).toEqual({ matches: 3, facts: 7, lines: 2 });
  const kept = [`clearing:${between} matched`, 'line:other:strange resolved', `payment:${young} matched`];
  const others = [`payment:${decided} matched`, `payout:${between} matched`];
  expect(await subjects()).toEqual([...kept, ...others].sort());
  expect((await matchesOf(database)).lines.map(({ line_key: key }) => key).sort()).toEqual(
    [`P${between}`, 'E03-15', 'E08-01', 'strange'].sort(),
  );
  expect(await removeBeforeMay()).toEqual({ matches: 0, facts: 0, lines: 0 });
});

test('after a removal the reconciler is rebuilt with the same matches, and what is gone is read by no night', async () => {
  const { gone } = await historyOfYears();
  await removeBeforeMay();
  services.now = noon;
  await sides.readAllRecords();
  await sides.waitSeconds(600);
  const before = await matchesOf(database);
  await database.pool.query(rebuildScript);
  while (await sides.readLedger());
  await enterStoredLines(sides.dependencies);
  services.recordsRead.length = 0;
  await sides.readAllRecords();
  await sides.waitSeconds(600);
  expect(await matchesOf(database)).toEqual(before);
  expect(await openExceptions()).toEqual([]);
  expect(services.recordsRead).not.toContain(gone);
});

test('a payout of a month that is gone comes back later, and its return alone is matched', async () => {
  const { goneToo } = await historyOfYears();
  await removeBeforeMay();
  services.now = noon;
  services.decide({ kind: 'return-payout', id: `return-payout:${goneToo}:D1` }, [
    ['provider:efi', 'system', 'BRL', -700],
    [account, 'available', 'BRL', 700],
  ]);
  const payout = services.records.find(({ id }) => id === goneToo)!;
  const returns = [{ name: 'D1', returnId: 'D1', amount: 700, isCredited: true }];
  services.records[services.records.indexOf(payout)] = { ...payout, returned: 700, returns };
  await arrive(database, { lines: [line('back', 700, { kind: 'payout_return', returnId: 'D1' })] });
  await sides.waitSeconds(600);
  expect((await subjects()).filter((each) => each.includes(goneToo))).toEqual([`payout_return:${goneToo}:D1 matched`]);
  expect(await openExceptions()).toEqual([]);
});

test('a command of today about a record of a month that is gone is compared as any other', async () => {
  const { gone } = await historyOfYears();
  await removeBeforeMay();
  services.now = noon;
  services.decide({ kind: 'credit-deposit', id: `credit-deposit:${gone}:again` }, [
    [account, 'available', 'BRL', 5_000],
    ['provider:efi', 'system', 'BRL', -5_000],
  ]);
  await sides.waitSeconds(1);
  await sides.waitSeconds(400);
  expect(await openExceptions()).toEqual([{ subject: `payment:${gone}`, reason: 'record_without_line' }]);
});

describe('nothing is removed', () => {
  test('of the last six months, nor before what is no month', async () => {
    await expect(firstMonthOf(database, '2026-06', noon)).rejects.toThrow('the first is 2026-05');
    await expect(firstMonthOf(database, '2026-5', noon)).rejects.toThrow('2026-5 is not a month');
  });

  test.each([
    ['while a day of it is not closed', 'delete from day_close', 'days of efi BRL are not closed'],
    [
      'while an exception of it is open',
      `insert into exception (id, environment, provider, currency, subject, reason, amount, p_amount, r_amount, l_amount,
         state, opened_at) values ('exc_1', 'test', 'none', 'BRL', 'event:x', 'event_without_delivery', 0, 0, 0, 0, 'OPEN',
         '2026-04-01')`,
      '1 exceptions from before are open',
    ],
    [
      'while a match of it waits',
      `update match set state = 'waiting' where subject like 'payout:%' and first_seen_at < '2026-04-01'`,
      '1 matches from before wait',
    ],
    ['while lines are matched anew', `update line set subject = null where line_key = 'strange'`, 'matched anew'],
    ['while the ledger is read anew', `update reading set place = 'null' where name like 'ledger %'`, 'ledger live.0'],
  ])('%s', async (_when, fault, named) => {
    await historyOfYears();
    await database.query('alter table day_close disable trigger keep_closed_day');
    await database.query(fault);
    await database.query('alter table day_close enable trigger keep_closed_day');
    const before = await matchesOf(database);
    await expect(removeBeforeMay()).rejects.toThrow(named);
    expect(await matchesOf(database)).toEqual(before);
    expect(await database.query('select from kept_months')).toEqual([]);
  });

  test('by a second process at the same moment', async () => {
    await historyOfYears();
    const both = await Promise.allSettled([removeBeforeMay(), removeBeforeMay()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('the lines that go are a file before, each as its provider wrote it', async () => {
  await historyOfYears();
  const output = new PassThrough();
  const read = buffer(output);
  const first = await firstMonthOf(database, '2026-05', noon);
  expect(await dumpLines(database, first, output)).toBe(4);
  output.end();
  const text = gunzipSync(await read)
    .toString()
    .trimEnd();
  const lines = text.split('\n').map((each) => JSON.parse(each) as { line_key: string; raw: string });
  expect(lines.map(({ line_key: key }) => key)).toEqual(expect.arrayContaining(['E03-10', 'strange']));
  const raw = lines.find(({ line_key: key }) => key === 'strange')?.raw ?? '';
  expect(Buffer.from(raw.slice('\\x'.length), 'hex').toString()).toBe('strange');
});
