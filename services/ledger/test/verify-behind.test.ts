import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { readLastSigned } from '#src/proof/sign-checkpoint.ts';
import { preparedQuery } from '#src/proof/tree-store.ts';
import { creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, testShard, withWrongEnd } from './support/proof.ts';

const script = fileURLToPath(new URL('../src/verify.ts', import.meta.url));
let ledger: DirectLedger;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  ledger = await startDirectLedger();
  const proof = await proofOf(ledger.database);
  const account = newId('account');
  await ledger.write(creditDeposit(account), creditDeposit(account), creditDeposit(account));
  await proof.follow();
  await proof.sign();
  const signed = await readLastSigned(preparedQuery(ledger.database), testShard);
  writeFileSync(join(directory, 'checkpoint.txt'), signed!.note);
  const [key] = await proof.keys.list(testShard);
  writeFileSync(join(directory, 'key.txt'), `${key!.text}\n`);
  writeFileSync(join(directory, 'second-key.txt'), `${key!.second!.text}\n`);
  await ledger.write(creditDeposit(account), creditDeposit(account));
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await ledger[Symbol.asyncDispose]();
});

async function verify(...options: string[]): Promise<string> {
  const file = join(directory, 'checkpoint.txt');
  const env = { ...process.env, DATABASE_URL: ledger.url };
  const child = spawn(process.execPath, [script, '--from-checkpoint', file, ...options], { env });
  const exited = once(child, 'exit');
  const output = await text(child.stdout);
  await exited;
  return `${output.trim()} (${child.exitCode})`;
}

test('what follows a checkpoint is verified without what is before it, by the keys of the database or those that are given', async () => {
  const intact = 'test.0: 2 links behind the checkpoint of 3, intact (0)';
  expect(await verify()).toBe(intact);
  expect(await verify('--key', join(directory, 'key.txt'))).toBe(intact);
  await ledger.database.query(`update entry set amount = amount + 1 where sequence = 1`);
  expect(await verify()).toBe(intact);
  await ledger.database.query(`update entry set amount = amount + 1 where sequence = 5`);
  expect(await verify()).toContain('BROKEN at 5: result 5');
});

test.each([
  [
    'the last link that the checkpoint covers was changed',
    `update result set hash = sha256('x') where sequence = 3`,
    'result 3 is not',
  ],
  [
    'the tree was changed',
    `update tree_tile set hashes = set_byte(hashes, 1, get_byte(hashes, 1) # 1)`,
    'the tree of 3 results is not',
  ],
  ['the chain was cut before the checkpoint', `delete from result where sequence >= 3`, 'result 3 is not'],
])('a checkpoint is contradicted when %s', async (_what, sql, problem) => {
  await ledger.database.pool.query(sql);
  expect(await verify()).toMatch(new RegExp(`^BROKEN: ${problem}.* \\(1\\)$`));
});

test('each signature of a checkpoint whose key is known has to be right', async () => {
  const file = join(directory, 'checkpoint.txt');
  const note = readFileSync(file, 'utf8');
  const [first, second] = [join(directory, 'key.txt'), join(directory, 'second-key.txt')];
  expect(await verify('--key', second)).toContain('intact (0)');
  writeFileSync(file, withWrongEnd(note, 1));
  for (const options of [[], ['--key', second]]) expect(await verify(...options)).toContain('is not right (1)');
  expect(await verify('--key', first)).toContain('intact (0)');
  writeFileSync(file, withWrongEnd(note, 0));
  expect(await verify()).toContain('is not right (1)');
  expect(await verify('--key', second)).toContain('intact (0)');
});

test('a checkpoint that no known key has signed is evidence of nothing', async () => {
  const other = 'pay.example.com/ledger/live.0+0d1da8bb+AfVw7OcidREX3831lzB+UkkZm8ImKvuij20SydpAaGTf';
  writeFileSync(join(directory, 'key.txt'), `${other}\n`);
  expect(await verify('--key', join(directory, 'key.txt'))).toContain('no signature by a key that is known');
});
