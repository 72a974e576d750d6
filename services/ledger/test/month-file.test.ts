import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { idLowerBound, newId } from '@gateway/money';
import { isIncluded, leafHash, openCheckpoint, readVerifier } from '@gateway/proof';
import { eventually, silentLogger } from '@gateway/test-kit';
import { appendLink } from '#src/chain/append-link.ts';
import { genesisHash } from '#src/chain/link.ts';
import { closeChapter, type Append } from '#src/chapters/close-chapter.ts';
import { stateMonthFiles } from '#src/chapters/month-file.ts';
import { readReceipt } from '#src/proof/read-proof.ts';
import type { Query } from '#src/proof/tree-store.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { walkNextChapters } from '#src/reconciliation/verify-chapter.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, testShard, type ProofByHand } from './support/proof.ts';

let ledger: DirectLedger;
let proof: ProofByHand;
let nowMs: number;
let directory: string;
let setAside: string[];
const account = newId('account');
const later = newId('account');

const query = <Row extends object>(sql: string) => ledger.database.query<Row>(sql);
const damage = (sql: string) => ledger.database.pool.query(sql);
const file = () => join(directory, 'july.gz');

/** Of a record that was made when it was booked, as records are. */
const idNow = (kind: 'deposit' | 'payout') => idLowerBound(kind, nowMs).slice(0, -16) + newId(kind).slice(-16);
const deposit = (accountId: string) => creditDeposit(accountId, { depositId: idNow('deposit') });

/** July and August are closed, July is verified, and September goes on. */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'month-'));
  nowMs = Date.parse('2026-07-10T12:00:00Z');
  setAside = [];
  ledger = await startDirectLedger(
    () => nowMs,
    (reason) => setAside.push(reason),
  );
  proof = await proofOf(ledger.database);
  const payout = debitPayout(account, { payoutId: idNow('payout') });
  await ledger.write(deposit(account), deposit(account), payout);
  for (const time of ['2026-08-01T00:02:00Z', '2026-09-01T00:02:00Z']) {
    nowMs = Date.parse(time);
    await proof.follow();
    const { database, append } = ledger;
    await closeChapter({ database, logger: silentLogger, append, nowMs: async () => nowMs }, testShard);
    await ledger.write(deposit(account), deposit(later));
  }
  await walkNextChapters(ledger.database.pool);
  await proof.follow();
  await proof.sign();
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await ledger[Symbol.asyncDispose]();
});

/** Runs a program of the ledger as an operator does. */
async function run(program: string, args: readonly string[], io: { from?: string; to?: string } = {}) {
  const script = fileURLToPath(new URL(`../src/${program}`, import.meta.url));
  const input = io.from === undefined ? ('ignore' as const) : openSync(io.from, 'r');
  const output = io.to === undefined ? ('pipe' as const) : openSync(io.to, 'w');
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, DATABASE_URL: ledger.url },
    stdio: [input, output, 'pipe'],
  });
  const exited = once(child, 'exit');
  const printed = await Promise.all([child.stdout ? text(child.stdout) : '', text(child.stderr!)]);
  await exited;
  for (const opened of [input, output]) if (typeof opened === 'number') closeSync(opened);
  return `${printed.join('').trim()} (${child.exitCode})`;
}

const month = (command: string, io = {}) => run('month.ts', [command, '2026-07'], io);
const verify = () => run('verify.ts', []);
const findings = async () => (await reconcile(ledger.database.pool)).flatMap((check) => check.findings);

/** The other environment has a writer of its own. */
async function stateFiles(): Promise<void> {
  const read: Query = (sql, params) => ledger.database.query(sql, params);
  await stateMonthFiles(read, ledger.append, testShard);
  const live = { environment: 'live', shard: 0 };
  const append: Append = async (statement) => {
    const stated = await statement(read, nowMs);
    const place = { epoch: 0, sequence: 0, hash: genesisHash, decidedAtMs: nowMs };
    if (stated) await appendLink(ledger.session, live, place, stated);
    return stated !== undefined;
  };
  await stateMonthFiles(read, append, live);
}

async function provenEntries(): Promise<number> {
  const [key] = await proof.keys.list(testShard);
  const rows = await query<{ id: string; account_id: string }>('select id, account_id from entry order by id');
  for (const { id, account_id: accountId } of rows) {
    const { receipt } = await readReceipt(ledger.database, { environment: 'test', accountId, entryId: id });
    const tree = openCheckpoint(receipt!.checkpoint, [readVerifier(key!.text)]);
    const leaf = leafHash(createHash('sha256').update(receipt!.link).digest());
    const hashes = receipt!.hashes.map((hash) => Buffer.from(hash, 'base64'));
    expect(isIncluded({ leaf, index: receipt!.index, tree, hashes })).toBe(true);
  }
  return rows.length;
}

test('a month that was closed, written into a file, detached and restored from it verifies, and so do its receipts', async () => {
  const rows = `select (select json_agg(r order by sequence)::text from result r) as results,
    (select json_agg(e order by id)::text from entry e) as entries`;
  const before = await query(rows);
  expect(await provenEntries()).toBe(8);
  const sha256 = /^(?<sha256>[0-9a-f]{64}) is the SHA-256 of the file \(0\)$/.exec(await month('dump', { to: file() }))
    ?.groups?.['sha256'];
  expect(createHash('sha256').update(readFileSync(file())).digest('hex')).toBe(sha256);
  expect(await month('detach')).toContain('does not name the file yet');
  await stateFiles();
  const [link] = await query<{ sha256: string }>(
    `select request ->> 'sha256' as sha256 from result where command_id like 'month-file:%'`,
  );
  expect(link?.sha256).toBe(sha256);
  expect(await month('detach')).toBe('2026-07 is detached (0)');
  await damage('drop table result_2026_07, entry_2026_07');

  expect(await findings()).toEqual([]);
  const absent = `test.0: chapter 2026-07 is not in the database, but in file ${sha256}`;
  expect(await verify()).toBe(`live.0: 1 links, intact\n${absent}\ntest.0: 10 links, intact (0)`);
  expect(await provenEntries()).toBe(4);

  expect(await month('restore', { from: file() })).toBe('2026-07 is restored (0)');
  expect(await verify()).toBe('live.0: 1 links, intact\ntest.0: 10 links, intact (0)');
  expect(await findings()).toEqual([]);
  expect(await provenEntries()).toBe(8);
  await damage(`delete from result where command_id like 'month-file:%'`);
  expect(await query(rows)).toEqual(before);
});

test('a file in which a byte was changed, and the file of another month, restore nothing', async () => {
  await month('dump', { to: file() });
  await stateFiles();
  await month('detach');
  await damage('drop table result_2026_07, entry_2026_07');
  const lines = gunzipSync(readFileSync(file())).toString();
  const changed = join(directory, 'changed.gz');
  writeFileSync(changed, gzipSync(lines.replace('9900', '9901')));
  expect(await month('restore', { from: changed })).toMatch(/^no file of 2026-07 with the SHA-256 .* \(1\)$/);
  expect(await run('month.ts', ['restore', '2026-08'], { from: file() })).toMatch(/\(1\)$/);
  expect(await query(`select to_regclass('result_2026_07') as name`)).toEqual([{ name: null }]);
  expect(await month('restore', { from: file() })).toBe('2026-07 is restored (0)');
});

test('a month is not written into a file before its chapter is verified, and not detached without one', async () => {
  expect(await run('month.ts', ['dump', '2026-08'], { to: file() })).toContain('is not closed and verified yet (1)');
  expect(await run('month.ts', ['detach', '2026-08'])).toContain('there is no file of 2026-08: dump it first (1)');
  expect(await run('month.ts', ['dump', 'result; drop table result'])).toContain('is not a month');
});

test('what was detached for a while is attached again without its file', async () => {
  await month('dump', { to: file() });
  await stateFiles();
  await month('detach');
  expect(await month('restore', { from: file() })).toContain('result_2026_07 is still there');
  expect(await month('attach')).toBe('2026-07 is attached (0)');
  expect(await verify()).toContain('test.0: 10 links, intact (0)');
});

/** The first command of July, as its sender has it. */
async function commandOfJuly(): Promise<LedgerCommand> {
  const [row] = await query<{ request: LedgerCommand }>('select request from result where sequence = 1');
  return row!.request;
}

async function detachJuly(): Promise<void> {
  await month('dump', { to: file() });
  await stateFiles();
  await ledger.restart();
  expect(await month('detach')).toBe('2026-07 is detached (0)');
}

test('a command of a month that was detached, sent again, gets the answer it had and is not decided again', async () => {
  const command = await commandOfJuly();
  const [before] = await ledger.write(command);
  await detachJuly();
  await damage('drop table result_2026_07, entry_2026_07');
  const [again, next] = await ledger.write(command, deposit(later));
  expect(again).toEqual({ ...before, replayed: true });
  expect(next).toMatchObject({ outcome: 'applied', replayed: false });
  const [changed] = await ledger.write({ ...command, currency: 'MXN' });
  expect(changed).toMatchObject({ outcome: 'conflict', field: null });
  expect(await month('restore', { from: file() })).toBe('2026-07 is restored (0)');
  expect(await query('select from kept_answer')).toEqual([]);
  expect(await ledger.write(command)).toEqual([again]);
  expect(await findings()).toEqual([]);
});

test('a command whose answer is nowhere is set aside with the month to be restored, and stops no other', async () => {
  const command = await commandOfJuly();
  await detachJuly();
  await damage('delete from kept_answer');
  const answers = await ledger.write(deposit(later), command, deposit(later));
  expect(answers.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
  expect(setAside).toEqual([`the answer to ${command.id} is of 2026-07, which has to be restored from its file`]);
});

test.each(['detach', 'attach'])('a detachment that was interrupted is finished by `%s`', async (next) => {
  await month('dump', { to: file() });
  await stateFiles();
  await ledger.restart();
  const reader = await ledger.database.pool.connect();
  await reader.query('begin');
  await reader.query('select from result');
  const interrupted = month('detach');
  const isWaiting = `select pid from pg_stat_activity where query like 'alter table result detach%' and wait_event_type = 'Lock'`;
  await eventually(async () => expect(await query(isWaiting)).toHaveLength(1));
  await query(`select pg_terminate_backend(pid) from (${isWaiting}) as waiting`);
  expect(await interrupted).toContain('(1)');
  await reader.query('commit');
  reader.release();
  expect(await verify()).toContain('test.0: chapter 2026-07 is not in the database');
  expect(await ledger.write(await storedCommand())).toEqual([expect.objectContaining({ replayed: true })]);
  expect(await month(next)).toBe(`2026-07 is ${next}ed (0)`);
  expect(await month('attach')).toBe('2026-07 is attached (0)');
  expect(await verify()).toContain('test.0: 10 links, intact (0)');
});

/** From the partition, which no statement of the ledger reads while it is leaving. */
async function storedCommand(): Promise<LedgerCommand> {
  const [row] = await query<{ request: LedgerCommand }>('select request from result_2026_07 limit 1');
  return row!.request;
}

test('a month that is gone without a file that the chain names is a broken chain', async () => {
  await damage(
    `insert into month_file (month, sha256, row_count, detached_at) values ('2026-07', repeat('a', 64), 1, now())`,
  );
  expect(await verify()).toContain('test.0: 9 links, intact');
  await damage('drop table result_2026_07, entry_2026_07');
  expect(await verify()).toContain('BROKEN at 1: result 1 is missing');
});
