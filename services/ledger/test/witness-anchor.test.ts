import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { cosignatureOf, readWitnessKey } from '@gateway/proof';
import { createLogger } from '@gateway/runtime';
import { TestWitness } from '@gateway/test-kit';
import { readAnchor, readAnchors } from '#src/anchors/read-anchors.ts';
import { keepOutside } from '#src/anchors/run-anchors.ts';
import { witnessTarget } from '#src/anchors/witness.ts';
import { readCheckpoint, readReceipt } from '#src/proof/read-proof.ts';
import { signTree } from '#src/proof/sign-checkpoint.ts';
import { creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, type ProofByHand } from './support/proof.ts';

const live = { environment: 'live', shard: 0 } as const;
const intervalSec = 3_600;
let ledger: DirectLedger;
let proof: ProofByHand;
let witness: TestWitness;
let nowMs = 0;

beforeEach(async () => {
  nowMs = Date.now();
  ledger = await startDirectLedger();
  proof = await proofOf(ledger.database);
  witness = await TestWitness.start((await proof.keys.list(live))[0]!.text);
});
afterEach(async () => {
  witness[Symbol.dispose]();
  await ledger[Symbol.asyncDispose]();
});

/** Books so many credits, and signs the tree of them as that of live money; the writer of these tests has test money. */
async function grow(links: number): Promise<number> {
  for (let count = 0; count < links; count += 1) await ledger.write(creditDeposit(newId('account')));
  await proof.follow();
  await ledger.database.query(
    `insert into tree_tile select 'live', shard, level, index, width, hashes from tree_tile where environment = 'test'
     on conflict (environment, shard, level, index) do update set width = excluded.width, hashes = excluded.hashes`,
  );
  await ledger.database.query(
    `update tree_head l set size = t.size, chain_hash = t.chain_hash, decided_at = t.decided_at
     from tree_head t where l.environment = 'live' and t.environment = 'test' and l.shard = t.shard`,
  );
  return (await signTree({ database: ledger.database, keys: proof.keys, now: () => nowMs }, live))!.size;
}

async function keep(): Promise<void> {
  const { database } = ledger;
  const targets = [witnessTarget({ url: witness.url, key: readWitnessKey(witness.vkey), database })];
  await keepOutside({ database, logger: createLogger('ledger', 'silent'), targets, intervalSec, now: () => nowMs });
}
const nextHour = () => (nowMs += intervalSec * 1_000);
const anchors = async () => (await readAnchors(ledger.database, { ...live, limit: 100 })).anchors;
const evidence = (size: number) => readAnchor(ledger.database, { ...live, size, target: 'witness' });
const line = async (size: number) => Buffer.from((await evidence(size)).answer ?? '', 'base64').toString();

test('a witness signs each checkpoint on the proof that it contains the last one, and its signature is kept', async () => {
  const sizes = [];
  for (const links of [3, 1, 6]) {
    sizes.push(await grow(links));
    await keep();
    nextHour();
  }
  expect(sizes).toEqual([3, 4, 10]);
  expect(witness.requests.map((body) => body.split('\n')[0])).toEqual(['old 0', 'old 3', 'old 4']);
  expect(witness.signed.size).toBe(10);
  for (const size of sizes) {
    const { checkpoint, anchor } = await evidence(size);
    expect(anchor).toMatchObject({ target: 'witness', failure: null, hasEvidence: true });
    const text = checkpoint.slice(0, checkpoint.lastIndexOf('\n\n') + 1);
    expect(await line(size)).toBe(witness.lineOf(text, 1_795_176_000));
    expect(cosignatureOf(checkpoint + (await line(size)), readWitnessKey(witness.vkey))?.time).toBe(1_795_176_000);
  }
});

test('a checkpoint that was signed is asked for from the size that the witness names, where ours is another', async () => {
  await grow(3);
  await keep();
  nextHour();
  await ledger.database.query(`update anchor set answer = null`);
  await grow(2);
  await keep();
  expect(witness.requests.map((body) => body.split('\n')[0])).toEqual(['old 0', 'old 0', 'old 3']);
  expect((await evidence(5)).anchor).toMatchObject({ hasEvidence: true, failure: null });
});

test('what waited while the witness was away is done once it has signed a later one', async () => {
  witness.instead = () => ({ status: 503, text: '' });
  await grow(2);
  await keep();
  expect(await anchors()).toMatchObject([{ size: 2, keptAt: null, failure: 'answered 503' }]);
  nextHour();
  await grow(2);
  witness.instead = undefined;
  await ledger.database.query(`update anchor set next_at = now() + interval '1 day'`);
  await keep();
  await ledger.database.query(`update anchor set next_at = $1 where done_at is null`, [new Date(nowMs)]);
  await keep();
  expect((await anchors()).map(({ size, keptAt, hasEvidence }) => [size, keptAt !== null, hasEvidence])).toEqual([
    [4, true, true],
    [2, true, false],
  ]);
});

test('a witness that only says it has signed a later one is not believed until its signature is here', async () => {
  await grow(2);
  witness.instead = () => ({ status: 409, text: '4', media: 'text/x.tlog.size' });
  const signed = await ledger.database.query<{ size: number }>('select size from checkpoint_note');
  expect(signed).toHaveLength(1);
  for (let count = 0; count < 2; count += 1) await ledger.write(creditDeposit(newId('account')));
  await proof.follow();
  await ledger.database.query(`update tree_head l set size = t.size, chain_hash = t.chain_hash
    from tree_head t where l.environment = 'live' and t.environment = 'test' and l.shard = t.shard`);
  await keep();
  expect(await anchors()).toMatchObject([{ size: 2, keptAt: null }]);
  expect((await anchors())[0]?.failure).toMatch(/no signature/);
  witness.instead = undefined;
  nextHour();
  await keep();
  expect(await anchors()).toMatchObject([{ size: 2, hasEvidence: true }]);
});

test.each([
  ['more links than the ledger has', 9, 3, /has signed 9 links, the ledger has 3/],
  ['another ledger of the same links', 3, 3, /signed another history of 3 links \(409\)/],
  ['another ledger of fewer links', 3, 4, /signed another history of 3 links \(422\)/],
])(
  'a witness that has signed %s is believed and not passed over: nothing is kept, at each attempt',
  async (_of, signed, size, failure) => {
    await grow(3);
    await keep();
    await ledger.database.query('delete from anchor');
    witness.signed = { size: signed, root: Buffer.alloc(32, 7) };
    nextHour();
    if (size > 3) await grow(size - 3);
    await keep();
    expect(await anchors()).toMatchObject([{ size, keptAt: null, hasEvidence: false }]);
    expect((await anchors())[0]?.failure).toMatch(failure);
  },
);

test('a signature that is not of the configured key over this checkpoint is not kept', async () => {
  await grow(3);
  using other = await TestWitness.start('');
  const { checkpoint } = { checkpoint: (await readCheckpoint(ledger.database, live)).checkpoint! };
  const text = checkpoint.slice(0, checkpoint.lastIndexOf('\n\n') + 1);
  const answers: [string, RegExp][] = [
    [witness.lineOf(`${text}more\n`, 1), /the cosignature is false/],
    [witness.lineOf(text, 1).replace(/.{6}\n$/, 'AAAA==\n'), /false/],
    [other.lineOf(text, 1), /no signature of witness.example/],
    ['thanks\n', /false/],
    ['', /false|no signature/],
  ];
  for (const [answer, failure] of answers) {
    witness.instead = () => ({ status: 200, text: answer });
    await keep();
    expect(await anchors()).toMatchObject([{ size: 3, keptAt: null, hasEvidence: false }]);
    expect((await anchors())[0]?.failure, answer).toMatch(failure);
    nowMs += 1_000_000;
  }
});

test('receipts and the checkpoint itself have the signature of the witness, as long as it signs', async () => {
  const size = await grow(3);
  await keep();
  const { checkpoint } = await readCheckpoint(ledger.database, live);
  expect(checkpoint?.endsWith(await line(size))).toBe(true);
  // Receipts are read of the ledger with entries: the same tree under its own name.
  await proof.sign();
  await ledger.database.query(
    `insert into anchor (environment, shard, size, target, period, queued_at, next_at, done_at, answer)
     select 'test', shard, size, target, period, queued_at, next_at, now(), answer from anchor`,
  );
  const [entry] = await ledger.database.query<{ id: string; accountId: string }>(
    `select id, account_id as "accountId" from entry order by sequence limit 1`,
  );
  const request = { environment: 'test', accountId: entry!.accountId, entryId: entry!.id } as const;
  const read = async () => (await readReceipt(ledger.database, request)).receipt!.checkpoint;
  expect((await read()).endsWith(await line(size))).toBe(true);
  // A later checkpoint that it has not signed takes the place of one that is a day old, and not before.
  await ledger.write(creditDeposit(newId('account')));
  await proof.follow();
  await proof.sign();
  expect((await read()).split('\n')[1]).toBe('3');
  await ledger.database.query(`update anchor set done_at = now() - interval '25 h'`);
  expect((await read()).split('\n')[1]).toBe('4');
});
