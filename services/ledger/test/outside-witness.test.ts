import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChainLink } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { readWitnessKey } from '@gateway/proof';
import { silentLogger, TestWitness } from '@gateway/test-kit';
import { keepOutside } from '#src/anchors/run-anchors.ts';
import { witnessTarget } from '#src/anchors/witness.ts';
import { signTree } from '#src/proof/sign-checkpoint.ts';
import { shards } from '#src/shards.ts';
import { approveIncarnation, readLostRange } from '#src/witnesses/lost-range.ts';
import type { Witness } from '#src/witnesses/witness.ts';
import { outsideWitness } from '#src/writer/outside-witness.ts';
import { LedgerBehindError, ShardWitnesses } from '#src/writer/shard-witnesses.ts';
import { creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf, type ProofByHand } from './support/proof.ts';

const [live] = shards;
const unknownHash = '0'.repeat(64);
let ledger: DirectLedger;
let proof: ProofByHand;
let signing: TestWitness;
let outside: Witness;

beforeEach(async () => {
  ledger = await startDirectLedger();
  proof = await proofOf(ledger.database);
  signing = await TestWitness.start((await proof.keys.list(live!))[0]!.text);
  outside = outsideWitness(settings());
  for (let count = 0; count < 3; count += 1) await ledger.write(creditDeposit(newId('account')));
  await proof.follow();
  await becomeLive();
  await signTree({ database: ledger.database, keys: proof.keys, now: () => Date.now() }, live!);
});
afterEach(async () => {
  signing[Symbol.dispose]();
  await ledger[Symbol.asyncDispose]();
});

const settings = () => ({ url: signing.url, key: readWitnessKey(signing.vkey), database: ledger.database });
const damage = (sql: string) => ledger.database.pool.query(sql);

/** The writer of these tests has test money; its chain and tree become those of live money. */
async function becomeLive(): Promise<void> {
  await damage(`
    insert into tree_tile select 'live', shard, level, index, width, hashes from tree_tile;
    update tree_head l set size = t.size, chain_hash = t.chain_hash, decided_at = t.decided_at
      from tree_head t where l.environment = 'live' and t.environment = 'test';
    update command set environment = 'live'; update result set environment = 'live';
    update shard l set head_sequence = t.head_sequence, head_hash = t.head_hash, decided_at_ms = t.decided_at_ms
      from shard t where l.environment = 'live' and t.environment = 'test'`);
}

async function keep(): Promise<void> {
  const { database } = ledger;
  const targets = [witnessTarget(settings())];
  await keepOutside({ database, logger: silentLogger, targets, intervalSec: 3_600, now: () => Date.now() });
}

test('the witness outside agrees with a chain that has what it signed, and with test money', async () => {
  expect(await outside.seen(live!)).toBeNull();
  expect(signing.signed.size).toBe(3);
  await keep();
  await damage(`update anchor set answer = null`);
  expect(await outside.seen(live!)).toBeNull();
  const asked = signing.requests.length;
  expect(await outside.seen(shards[1]!)).toBeNull();
  expect(signing.requests).toHaveLength(asked);
});

test('a server that was restored with all its witnesses is contradicted by the one outside before it decides', async () => {
  await keep();
  signing.signed = { size: 9, root: Buffer.alloc(32, 7) };
  const seen = { shard: 0, incarnation: 0, sequence: 9, hash: unknownHash };
  expect(await outside.seen(live!)).toEqual(seen);
  using witnesses = heardBy([agreeing], [outside]);
  await expect(witnesses.hear(ledger.session, signal)).rejects.toThrow(LedgerBehindError);
  expect(() => witnesses.requireAgreement()).toThrow('witness.example/w1 has seen link 0/9');
});

test('a history that was rewritten is contradicted, at the size that the witness has signed', async () => {
  await keep();
  signing.signed = { size: 3, root: Buffer.alloc(32, 7) };
  expect(await outside.seen(live!)).toEqual({ shard: 0, incarnation: 0, sequence: 3, hash: unknownHash });
  using witnesses = heardBy([agreeing], [outside]);
  await expect(witnesses.hear(ledger.session, signal)).rejects.toThrow('has seen another link 0/3');
});

test('what two operators have given up is no contradiction again, and more than that is one', async () => {
  await keep();
  signing.signed = { size: 9, root: Buffer.alloc(32, 7) };
  const { database } = ledger;
  const range = await readLostRange({ database, witnesses: [outside] }, live!);
  expect(range).toMatchObject({ headSequence: 3, lostThrough: 9 });
  await approveIncarnation({ database }, { approvalId: 'apr_1', range, proposedBy: 'ana', approvedBy: 'rui' });
  using witnesses = heardBy([agreeing], [outside]);
  expect(await witnesses.hear(ledger.session, signal)).toMatchObject({ number: 1, lostThrough: 9 });
  await damage(
    `insert into command select 'live', 'incarnation:apr_1', request_hash, 0, 4, decided_at from command limit 1`,
  );
  expect(await outside.seen(live!)).toBeNull();
  signing.signed = { size: 10, root: Buffer.alloc(32, 7) };
  expect(await outside.seen(live!)).toMatchObject({ incarnation: 1, sequence: 10 });
});

const { signal } = new AbortController();
const agreeing: Witness = { name: 'deposits', seen: async () => null };

function heardBy(within: readonly Witness[], without: readonly Witness[]): ShardWitnesses {
  return new ShardWitnesses({ shard: live!, witnesses: within, outside: without, waitMs: 600, logger: silentLogger });
}

test('one outside that does not answer is not waited for, and one that agrees takes no place of those within', async () => {
  let [inside, asked] = [0, 0];
  const silent = { name: 'outside', seen: async () => await Promise.reject(new Error('no answer')) } as const;
  using decided = heardBy([agreeing], [silent]);
  expect(await decided.hear(ledger.session, signal)).toBeUndefined();
  const away: Witness = {
    name: 'deposits',
    seen: async (): Promise<ChainLink | null> => {
      inside += 1;
      throw new Error('no answer');
    },
  };
  const counted: Witness = {
    name: 'outside',
    seen: async () => {
      asked += 1;
      return null;
    },
  };
  using waiting = heardBy([away], [counted]);
  await waiting.hear(ledger.session, signal);
  expect(inside).toBeGreaterThan(1);
  expect(asked).toBe(1);
});
