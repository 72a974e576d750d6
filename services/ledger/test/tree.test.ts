import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NotFoundError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import {
  isConsistent,
  isIncluded,
  leafHash,
  openCheckpoint,
  openNote,
  readTextVerifier,
  readVerifier,
} from '@gateway/proof';
import { eventually } from '@gateway/test-kit';
import type { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { ChainFollower } from '#src/proof/follow-chain.ts';
import { readCheckpoint, readConsistency, readReceipt, readTile } from '#src/proof/read-proof.ts';
import { signTree } from '#src/proof/sign-checkpoint.ts';
import { preparedQuery } from '#src/proof/tree-store.ts';
import { creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, testShard, withWrongEnd, type ProofByHand } from './support/proof.ts';

let ledger: DirectLedger;
let proof: ProofByHand;
const account = newId('account');
const books = async (count: number) => {
  await ledger.write(...Array.from({ length: count }, () => creditDeposit(account)));
};
beforeEach(async () => {
  ledger = await startDirectLedger();
  proof = await proofOf(ledger.database);
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const damage = (sql: string) => ledger.database.pool.query(sql);
const query = <Row extends object>(sql: string) => ledger.database.query<Row>(sql);
const entries = () => query<{ id: string; sequence: number }>('select id, sequence from entry order by sequence');
const receiptOf = async (entryId: string) =>
  (await readReceipt(ledger.database, { environment: 'test', accountId: account, entryId })).receipt;
const keysOf = async (keys: CheckpointKeys) => (await keys.list(testShard)).map(({ text }) => readVerifier(text));
const secondKeysOf = async (keys: CheckpointKeys) =>
  (await keys.list(testShard)).flatMap(({ second }) => (second === null ? [] : [readVerifier(second.text)]));
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const treesOfTest = `environment = 'test' and shard = 0`;

/** Whether a stranger with the keys alone believes it. */
async function isProven(receipt: NonNullable<Awaited<ReturnType<typeof receiptOf>>>): Promise<boolean> {
  const { link, index, hashes, checkpoint } = receipt;
  const tree = openCheckpoint(checkpoint, await keysOf(proof.keys));
  const siblings = hashes.map((hash) => Buffer.from(hash, 'base64'));
  return isIncluded({ leaf: leafHash(sha256(link)), index, tree, hashes: siblings });
}

test('every entry has a receipt once a checkpoint covers it, which a stranger verifies, and none before', async () => {
  await books(7);
  const [first] = await entries();
  expect(await receiptOf(first!.id)).toBeNull();
  await proof.follow();
  await proof.sign();
  await books(1);
  const all = await entries();
  const receipts = await Promise.all(all.map(({ id }) => receiptOf(id)));
  expect(receipts.slice(7)).toEqual([null]);
  for (const [index, receipt] of receipts.slice(0, 7).entries()) {
    expect(receipt).toMatchObject({ index, link: expect.stringContaining(all[index]!.id) as unknown });
    expect(await isProven(receipt!)).toBe(true);
    expect(await isProven({ ...receipt!, link: receipt!.link.replace('9900', '9901') })).toBe(false);
  }
  await expect(receiptOf(newId('ledgerEntry'))).rejects.toThrow(NotFoundError);
  const stranger = { environment: 'test', accountId: newId('account'), entryId: first!.id } as const;
  await expect(readReceipt(ledger.database, stranger)).rejects.toThrow(NotFoundError);
});

test('any two checkpoints are consistent, and each page of links gives the same tree as one of all', async () => {
  const notes: string[] = [];
  for (const count of [1, 2, 5, 9]) {
    await books(count);
    await proof.follow();
    await proof.sign();
    notes.push((await readCheckpoint(ledger.database, { environment: 'test', shard: 0 })).checkpoint!);
  }
  const keys = await keysOf(proof.keys);
  const trees = notes.map((note) => openCheckpoint(note, keys));
  expect(trees.map(({ size }) => size)).toEqual([1, 3, 8, 17]);
  for (const earlier of trees) {
    for (const later of trees.slice(trees.indexOf(earlier))) {
      const request = { environment: 'test', shard: 0, from: earlier.size, to: later.size } as const;
      const { hashes } = await readConsistency(ledger.database, request);
      expect(
        isConsistent(
          earlier,
          later,
          hashes.map((hash) => Buffer.from(hash, 'base64')),
        ),
      ).toBe(true);
    }
  }
  const { hashes } = await readTile(ledger.database, { environment: 'test', shard: 0, level: 0, index: 0 });
  const links = await query<{ hash: Buffer }>(`select hash from result order by sequence`);
  expect(hashes).toBe(Buffer.concat(links.map(({ hash }) => leafHash(hash))).toString('base64'));
});

test('two processes that follow one chain at once write each link once', async () => {
  const other = new ChainFollower(preparedQuery(ledger.database), testShard);
  await books(2);
  await other.follow();
  for (let round = 0; round < 5; round += 1) {
    await books(3);
    await Promise.all([proof.follow(), other.follow()]);
  }
  await proof.follow();
  await proof.sign();
  const receipts = await Promise.all((await entries()).map(({ id }) => receiptOf(id)));
  expect(receipts).toHaveLength(17);
  for (const receipt of receipts) expect(await isProven(receipt!)).toBe(true);
});

describe('nothing is signed, and the tree does not grow, after', () => {
  beforeEach(async () => {
    await books(5);
    await proof.follow();
    await proof.sign();
    await books(3);
  });

  const attempt = async () => {
    await proof.follow();
    await proof.sign();
  };

  test.each([
    ['a hash of the tree was changed', `update tree_tile set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`],
    ['a tile was lost', `delete from tree_tile`],
    ['the last link of the tree was rewritten', `update result set hash = sha256('x') where sequence = 5`],
    ['the last link of the tree was removed', `delete from result where sequence = 5`],
    ['a link behind it was removed', `delete from result where sequence = 7`],
    ['the tree was cut', `update tree_head set size = 3 where ${treesOfTest}`],
  ])('%s', async (_what, sql) => {
    await damage(sql);
    proof = await proofOf(ledger.database);
    await expect(attempt()).rejects.toThrow(/links|tile|tree/);
    expect(await query('select size from checkpoint_note')).toEqual([{ size: 5 }]);
  });
});

test('tiles that were changed are built again from the chain, and signed when they contain what was stated', async () => {
  await books(5);
  await proof.follow();
  await proof.sign();
  await damage(`update tree_tile set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
  await damage(`truncate tree_tile; update tree_head set size = 0, chain_hash = decode(repeat('00', 32), 'hex'),
    decided_at = to_timestamp(0)`);
  await books(2);
  proof = await proofOf(ledger.database);
  await proof.follow();
  expect(await proof.sign()).toMatchObject({ size: 7 });
});

test('a process that dies before it signs leaves a statement, and no other tree of that size or beyond is signed', async () => {
  await books(4);
  await proof.follow();
  const dying = { signers: () => Promise.reject(new Error('killed')) } as unknown as CheckpointKeys;
  const services = { database: ledger.database, now: () => Date.now() };
  await expect(signTree({ ...services, keys: dying }, testShard)).rejects.toThrow('killed');
  expect(await query('select size from checkpoint_note')).toEqual([]);
  const [stated] = await query<{ root: Buffer }>('select root from checkpoint');
  await damage(`update tree_tile set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
  await expect(proof.sign()).rejects.toThrow('does not contain');
  await damage(`update tree_tile set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
  expect(await proof.sign()).toMatchObject({ size: 4, root: stated!.root });
  expect(await query('select size from checkpoint_note')).toEqual([{ size: 4 }]);
});

test('statements and signatures are never changed or removed', async () => {
  await books(1);
  await proof.follow();
  await proof.sign();
  for (const sql of [
    'update checkpoint set size = 2',
    'delete from checkpoint_note',
    'truncate checkpoint cascade',
    'truncate checkpoint_note',
    'delete from checkpoint_key',
    'delete from checkpoint_second_key',
  ]) {
    await expect(damage(sql), sql).rejects.toThrow('only added to');
  }
});

test('a key that two operators decided to replace is replaced once, also when they are asked for twice at once', async () => {
  await Promise.all([proof.keys.rotate(new Date(), 1), proof.keys.rotate(new Date(), 1)]);
  await proof.keys.rotate(new Date(), 1);
  expect((await proof.keys.list(testShard)).map(({ number }) => number)).toEqual([1, 2]);
});

test('after a new key both old and new receipts verify, and the old key has signed the new one and is gone', async () => {
  await books(1);
  await proof.follow();
  await proof.sign();
  const [entry] = await entries();
  const before = await receiptOf(entry!.id);
  await proof.keys.rotate(new Date());
  await proof.sign();
  const after = await receiptOf(entry!.id);
  expect(after!.checkpoint).not.toBe(before!.checkpoint);
  const [oldKey, newKey] = await proof.keys.list(testShard);
  const treeOf = (note: string, text: string) => openCheckpoint(note, [readVerifier(text)]);
  expect(treeOf(before!.checkpoint, oldKey!.text)).toEqual(treeOf(after!.checkpoint, newKey!.text));
  expect(() => treeOf(after!.checkpoint, oldKey!.text)).toThrow('no signature');
  expect(newKey!.endorsement).toContain(newKey!.text);
  expect(() => treeOf(newKey!.endorsement!, oldKey!.text)).toThrow('not a size');
  for (const table of ['checkpoint_key', 'checkpoint_second_key']) {
    const kept = await query(`select number from ${table} where sealed is not null`);
    expect(kept, table).toEqual([{ number: 2 }]);
  }
});

test('every checkpoint is signed with ML-DSA-44 as well, by a key that the first one endorses, and by its own after a new one', async () => {
  await books(2);
  await proof.follow();
  await proof.sign();
  const [entry] = await entries();
  const noteOf = async () => (await receiptOf(entry!.id))!.checkpoint;
  const before = await noteOf();
  await proof.keys.rotate(new Date());
  await proof.sign();
  const [first, later] = await secondKeysOf(proof.keys);
  expect(openCheckpoint(before, [first!])).toMatchObject({ size: 2 });
  expect(openCheckpoint(await noteOf(), [later!])).toEqual(openCheckpoint(before, [first!]));
  expect(() => openCheckpoint(before, [later!])).toThrow('no signature');
  const known = [...(await keysOf(proof.keys)), first!];
  expect(() => openCheckpoint(withWrongEnd(before, 1), known)).toThrow('is not right');
  for (const { text, second } of await proof.keys.list(testShard)) {
    expect(second!.endorsement).toContain(second!.text);
    expect(() => openCheckpoint(second!.endorsement, [readVerifier(text)])).toThrow('not a size');
  }
});

test('who trusts ML-DSA-44 alone learns each later key by the one before it, and takes none of them for a checkpoint', async () => {
  await proof.keys.rotate(new Date());
  await proof.keys.rotate(new Date());
  const keys = await proof.keys.list(testShard);
  const seconds = keys.map(({ second }) => second!);
  const known = [...keys, ...seconds].map(({ text }) => readTextVerifier(text));
  for (const [index, { text, endorsement }] of seconds.entries()) {
    const before = seconds.slice(0, index).slice(-1);
    const by = [keys[index]!, ...before].map((key) => readTextVerifier(key.text).text);
    expect(openNote(endorsement, known).signedBy.map((signer) => signer.text)).toEqual(by);
    expect(endorsement.split('\n').slice(0, 3)).toEqual(['pay.example.com/ledger/test.0', 'next key', text]);
    for (const key of before) {
      const verifier = readTextVerifier(key.text);
      expect(() => openNote(withWrongEnd(endorsement, 1), [verifier])).toThrow('is not right');
      expect(() => openNote(endorsement.replace(text, key.text), [verifier])).toThrow('is not right');
      expect(() => openNote(endorsement, [readVerifier(key.text)])).toThrow('no signature');
    }
  }
});

test('a key of an earlier version gets its second one before it signs again, once for all processes', async () => {
  await damage('alter table checkpoint_second_key disable trigger checkpoint_second_key_is_kept');
  await damage('delete from checkpoint_second_key');
  expect(await secondKeysOf(proof.keys)).toEqual([]);
  // Another session's hold on the keys lets all three find that there is none before one of them makes it.
  const holding = await ledger.database.pool.connect();
  await holding.query('begin; lock table checkpoint_key in share row exclusive mode');
  const signing = Promise.all([1, 2, 3].map(() => proof.keys.signers(testShard)));
  const waiting = `select from pg_locks where relation = 'checkpoint_key'::regclass and not granted`;
  await eventually(async () => expect(await query(waiting)).toHaveLength(3));
  await holding.query('commit');
  holding.release();
  await signing;
  await books(1);
  await proof.follow();
  await proof.sign();
  const [entry] = await entries();
  const [second, ...more] = await secondKeysOf(proof.keys);
  expect(openCheckpoint((await receiptOf(entry!.id))!.checkpoint, [second!])).toMatchObject({ size: 1 });
  expect(more).toEqual([]);
});
