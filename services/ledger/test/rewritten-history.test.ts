import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { growTiles } from '@gateway/proof';
import { SecretBox } from '@gateway/runtime';
import { silentLogger } from '@gateway/test-kit';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { genesisHash, linkHash, type StoredLink } from '#src/chain/link.ts';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { verifyChain } from '#src/chain/verify-chain.ts';
import { walkChain } from '#src/chain/walk-chain.ts';
import { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { reconcileNow } from '#src/reconciliation/run-reconciliation.ts';
import { adjust, creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, testShard, withoutSignature, withWrongEnd, type ProofByHand } from './support/proof.ts';

let ledger: DirectLedger;
let proof: ProofByHand;
const account = newId('account');

beforeEach(async () => {
  ledger = await startDirectLedger();
  proof = await proofOf(ledger.database);
  await ledger.write(creditDeposit(account), creditDeposit(account), adjust(account, -100), creditDeposit(account));
  await proof.follow();
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const run = (sql: string, params: readonly unknown[] = []) => ledger.database.pool.query(sql, [...params]);

async function findings(): Promise<string[]> {
  const services = { database: ledger.database, logger: silentLogger, now: () => Date.now(), keys: proof.keys };
  const { checks } = await reconcileNow(services);
  return checks.flatMap((check) => check.findings);
}

/** Gives every link a hash that fits its rows, and the shard its head, as one would who hides a change. */
async function rehash(): Promise<void> {
  let previous = genesisHash;
  let last = 0;
  const links: StoredLink[] = [];
  await inSnapshot(ledger.database.pool, async (snapshot) => {
    for await (const page of walkChain(snapshot, testShard)) links.push(...page);
  });
  for (const link of links) {
    const requestHash = requestHashOf(canonicalRequest(link.request));
    previous = linkHash(previous, { ...link, ...testShard, requestHash });
    last = link.sequence;
    await run(`update result set hash = decode($1, 'hex') where sequence = $2`, [previous, last]);
  }
  await run(`update shard set head_hash = decode($1, 'hex'), head_sequence = $2 where environment = 'test'`, [
    previous,
    last,
  ]);
}

/** Besides, makes the tree over again, so that it fits. */
async function regrow(): Promise<void> {
  const { rows } = await run('select hash from result order by sequence');
  const hashes = (rows as { hash: Buffer }[]).map(({ hash }) => hash);
  const [tile] = growTiles(0, [], Buffer.concat(hashes));
  await run('update tree_tile set hashes = $1, width = $2', [tile!.hashes, hashes.length]);
  const tree = `update tree_head set size = $1, chain_hash = $2 where environment = 'test'`;
  await run(tree, [hashes.length, hashes.at(-1)]);
}

/** More was credited by the second result than was decided, in every row that has it. */
const forge = () =>
  run(`
    update result set postings = jsonb_set(jsonb_set(postings::jsonb, '{0,3}', '19900'), '{2,3}', '-20000')::json where sequence = 2;
    update entry set amount = 19900 where sequence = 2;
    update entry set balance_after = balance_after + 10000 where sequence >= 2;
    update result set balances = jsonb_set(balances::jsonb, '{0,available}', '99999')::json where sequence = 2`);

const isIntact = async () =>
  (await inSnapshot(ledger.database.pool, (snapshot) => verifyChain(snapshot, testShard))).firstBreak === null;

test('a reconciliation signs a checkpoint of each chain that has links, and records it', async () => {
  expect(await findings()).toEqual([]);
  const [stated] = await ledger.database.query('select size, root, chain_hash from checkpoint');
  const heads = await ledger.database.query<{ sequence: number; hash: string; root: string }>(
    `select (head ->> 'sequence')::bigint as sequence, head ->> 'hash' as hash, head ->> 'root' as root
     from reconciliation, json_array_elements(heads) as head`,
  );
  expect(
    heads.map(({ sequence, hash, root }) => ({
      size: sequence,
      root: Buffer.from(root, 'hex'),
      chain_hash: Buffer.from(hash, 'hex'),
    })),
  ).toEqual([stated]);
});

/** Puts another note in the place of the newest one. */
async function rewrite(note: string): Promise<void> {
  await run('alter table checkpoint_note disable trigger checkpoint_note_is_kept');
  await run('update checkpoint_note set note = $1', [note]);
}

test.each([0, 1])(
  'a wrong signature of the newest checkpoint is found, the first as the second one: %s',
  async (place) => {
    await proof.sign();
    const [signed] = await ledger.database.query<{ note: string }>('select note from checkpoint_note');
    await rewrite(withWrongEnd(signed!.note, place));
    expect(await findings()).toEqual(['the signature of pay.example.com/ledger/test.0 is not right']);
  },
);

test.each([
  ['first', 0],
  ['second', 1],
] as const)('a newest checkpoint without the signature of its %s key is found', async (name, place) => {
  await proof.sign();
  const [signed] = await ledger.database.query<{ note: string }>('select note from checkpoint_note');
  await rewrite(withoutSignature(signed!.note, place));
  expect(await findings()).toEqual([`the checkpoint of 4 has no signature by the ${name} key`]);
});

test('a checkpoint that was signed before there was a second key is right with one signature', async () => {
  await proof.sign();
  const [signed] = await ledger.database.query<{ note: string }>('select note from checkpoint_note');
  await rewrite(withoutSignature(signed!.note, 1));
  await run(`update checkpoint_second_key set created_at = now() + interval '1 second'`);
  expect(await findings()).toEqual([]);
});

test('a history that was rewritten with all its hashes is found by the tree that was signed, and is not signed', async () => {
  await proof.sign();
  await forge();
  await rehash();
  expect(await isIntact()).toBe(true);
  expect(await findings()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^result 4 is not the one that was there at 20/)]),
  );
  await regrow();
  const refusal = 'the tree of 4 links does not contain the one of 4 that was stated';
  expect(await findings()).toEqual(expect.arrayContaining([refusal]));
  expect(await ledger.database.query('select size from checkpoint_note')).toEqual([{ size: 4 }]);
});

test('a last result that was removed from the chain and from the tree is found by the checkpoint', async () => {
  await proof.sign();
  await run(
    `delete from result where sequence = 4; delete from command where sequence = 4; delete from entry where sequence = 4`,
  );
  await rehash();
  await regrow();
  expect(await isIntact()).toBe(true);
  expect(await findings()).toEqual(
    expect.arrayContaining([
      'the tree has 3 links, and 4 were stated',
      expect.stringMatching(/^result 4 is not the one that was there at 20/),
    ]),
  );
  await ledger.restart();
  await ledger.write(creditDeposit(account), creditDeposit(account));
  proof = await proofOf(ledger.database);
  await proof.follow();
  const refusal = 'the tree of 5 links does not contain the one of 4 that was stated';
  expect(await findings()).toEqual(expect.arrayContaining([refusal]));
});

test('a tree that is not that of its chain is found where it was signed', async () => {
  await run(`update tree_tile set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
  await proof.sign();
  expect(await findings()).toEqual([
    expect.stringMatching(/^the tree of 4 results is not the one that was there at 20/),
  ]);
});

test('the books are reconciled although the key that signs checkpoints cannot be opened', async () => {
  const keys = new CheckpointKeys(ledger.database, new SecretBox([Buffer.alloc(32, 2)]));
  const services = { database: ledger.database, logger: silentLogger, now: () => Date.now(), keys };
  expect(await reconcileNow(services)).toMatchObject({ status: 'OK' });
});
