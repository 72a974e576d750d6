import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerCommand, type ChainLink, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { LedgerCommandClient, ensureStreams, type Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { createTestBus, createTestDatabase, eventually, silentLogger } from '@gateway/test-kit';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { verifyChain } from '#src/chain/verify-chain.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { shards } from '#src/shards.ts';
import { approveIncarnation, readLostRange } from '#src/witnesses/lost-range.ts';
import type { Witness } from '#src/witnesses/witness.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';
import { creditDeposit } from './support/commands.ts';

const shard = shards[1]!;
const longWaitMs = 600_000;

let stack: AsyncDisposableStack;
let bus: Bus;
let ledgerClient: LedgerCommandClient;
let accountId: string;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  bus = stack.use(await createTestBus());
  // The stream of the test before is being removed.
  await eventually(() => ensureStreams(bus, [shard.stream], silentLogger));
  ledgerClient = stack.use(new LedgerCommandClient(bus));
  accountId = newId('account');
});
afterEach(async () => await stack.disposeAsync());

interface Books {
  readonly url: string;
  readonly database: Database;
}

/** A ledger's database that has decided nothing: a new one, or one that has lost everything. */
async function emptyBooks(): Promise<Books> {
  return stack.use(await createTestDatabase('ledger', { migrations }));
}

/** A witness that says what the test says; it does not answer while that is undefined. */
class StagedWitness implements Witness {
  readonly name: string;
  link: ChainLink | null | undefined;

  constructor(name: string, link?: ChainLink | null) {
    this.name = name;
    this.link = link;
  }

  async seen(): Promise<ChainLink | null> {
    if (this.link === undefined) throw new Error('no answer');
    return this.link;
  }
}

function startWriter({ url, database }: Books, witnesses: readonly Witness[], witnessWaitMs = longWaitMs): ShardWriter {
  const now = () => Date.now();
  const common = { shard, databaseUrl: url, database, bus, logger: silentLogger, now };
  return stack.use(new ShardWriter({ ...common, witnesses, witnessWaitMs }));
}

const ask = async (command: LedgerCommand) => await ledgerClient.request(ledgerCommand, command, { timeoutMs: 20_000 });
const linkOf = ({ link }: LedgerResult): ChainLink => link ?? expect.unreachable('an answer without a link');
const headOf = async ({ database }: Books) =>
  (await database.query<{ head: number }>(`select head_sequence as head from shard where environment = 'test'`))[0]
    ?.head;

/** Decides some credits, each of 9,900, and loses them with the writer. Their commands are still at the broker. */
async function lostDecisions(count: number): Promise<LedgerResult[]> {
  const books = await emptyBooks();
  const writer = startWriter(books, []);
  const results: LedgerResult[] = [];
  for (let index = 0; index < count; index++) results.push(await ask(creditDeposit(accountId)));
  await writer[Symbol.asyncDispose]();
  return results;
}

describe('the answer to a command', () => {
  test('has the place of its decision in the chain, and the same when it is asked again', async () => {
    const books = await emptyBooks();
    startWriter(books, []);
    const command = creditDeposit(accountId);
    await ask(creditDeposit(accountId));
    const first = await ask(command);
    const [stored] = await books.database.query(
      `select shard, 0 as incarnation, sequence, encode(hash, 'hex') as hash from result where command_id = $1`,
      [command.id],
    );
    expect(first.link).toEqual(stored);
    expect(first.link).toMatchObject({ sequence: 2 });
    expect(await ask(command)).toEqual({ ...first, replayed: true });
  });

  test('has none where nothing is stored under its id', async () => {
    startWriter(await emptyBooks(), []);
    const command = creditDeposit(accountId);
    await ask(command);
    expect(await ask({ ...command, amount: 9_999 })).toMatchObject({ outcome: 'conflict', link: null });
  });
});

describe('a writer that acquires a shard', () => {
  test('decides on an empty database when its witnesses have seen nothing', async () => {
    startWriter(await emptyBooks(), [new StagedWitness('deposits', null), new StagedWitness('payouts', null)]);
    expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied' });
  });

  test('decides when one witness agrees and another does not answer', async () => {
    startWriter(await emptyBooks(), [new StagedWitness('deposits', null), new StagedWitness('payouts')]);
    expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied' });
  });

  test('decides nothing on a chain that is behind one of its witnesses, and reports it', async () => {
    const lost = await lostDecisions(3);
    const books = await emptyBooks();
    const witnesses = [new StagedWitness('deposits', linkOf(lost[1]!)), new StagedWitness('payouts', null)];
    const writer = startWriter(books, witnesses);
    await eventually(() => expect(() => writer.requireAgreement()).toThrow('deposits has seen link 0/2'));
    await expect(ledgerClient.request(ledgerCommand, creditDeposit(accountId), { timeoutMs: 1_500 })).rejects.toThrow();
    expect(await headOf(books)).toBe(0);
  });

  test('decides nothing on a chain that has another link where a witness has seen one', async () => {
    const [lost] = await lostDecisions(1);
    const books = await emptyBooks();
    const before = startWriter(books, []);
    await ask(creditDeposit(accountId));
    await before[Symbol.asyncDispose]();
    const head = await headOf(books);
    const writer = startWriter(books, [new StagedWitness('deposits', { ...linkOf(lost!), hash: 'f'.repeat(64) })]);
    await eventually(() => expect(() => writer.requireAgreement()).toThrow('deposits has seen another link 0/1'));
    await expect(ledgerClient.request(ledgerCommand, creditDeposit(accountId), { timeoutMs: 1_500 })).rejects.toThrow();
    expect(await headOf(books)).toBe(head);
  });

  test('waits for a first answer, and decides once there is one', async () => {
    const witness = new StagedWitness('deposits');
    const books = await emptyBooks();
    startWriter(books, [witness]);
    const command = creditDeposit(accountId);
    await expect(ledgerClient.request(ledgerCommand, command, { timeoutMs: 1_500 })).rejects.toThrow();
    expect(await headOf(books)).toBe(0);
    witness.link = null;
    expect(await ask(command)).toMatchObject({ outcome: 'applied' });
  });

  test('decides without any witness after its wait, and ends when one returns that has seen more', async () => {
    const lost = await lostDecisions(3);
    const witness = new StagedWitness('deposits');
    const books = await emptyBooks();
    const writer = startWriter(books, [witness], 100);
    expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied' });
    witness.link = { ...linkOf(lost[0]!), sequence: 1_000 };
    await eventually(() => expect(() => writer.requireAgreement()).toThrow('link 0/1000'));
    const head = await headOf(books);
    await expect(ledgerClient.request(ledgerCommand, creditDeposit(accountId), { timeoutMs: 1_500 })).rejects.toThrow();
    expect(await headOf(books)).toBe(head);
  });
});

describe('an incarnation that two operators have approved', () => {
  const by = { proposedBy: 'ana', approvedBy: 'bruno' };
  const range = (books: Books, witnesses: readonly Witness[]) =>
    readLostRange({ database: books.database, witnesses }, shard);

  test('names what was lost, and every lost command is decided once more, with the answers agreed from then on', async () => {
    const lost = await lostDecisions(5);
    const books = await emptyBooks();
    const witness = new StagedWitness('deposits', linkOf(lost[4]!));
    const writer = startWriter(books, [witness, new StagedWitness('payouts')]);
    await eventually(() => expect(() => writer.requireAgreement()).toThrow());
    const found = await range(books, [witness, new StagedWitness('payouts')]);
    expect(found).toMatchObject({ headSequence: 0, lostThrough: 5, silent: ['payouts'], incarnation: 0 });
    const approval = { approvalId: randomUUID(), range: found, ...by };
    expect(await approveIncarnation(books, approval)).toEqual({ number: 1 });
    expect(await approveIncarnation(books, approval)).toEqual({ number: 1 });

    const next = await ask(creditDeposit(accountId));
    expect(next.balances).toMatchObject([{ available: 6 * 9_900 }]);
    expect(next.link).toMatchObject({ incarnation: 1, sequence: 7 });
    const [link] = await books.database.query<{ request: object }>('select request from result where sequence = 1');
    expect(link?.request).toMatchObject({ kind: 'incarnation', number: 1, lostFrom: 1, lostThrough: 5, ...by });
    const decided = await books.database.query<{ id: string }>('select id from command');
    expect(decided.map(({ id }) => id)).toEqual(expect.arrayContaining(lost.map(({ commandId }) => commandId)));
    expect(await inSnapshot(books.database.pool, (snapshot) => verifyChain(snapshot, shard))).toMatchObject({
      firstBreak: null,
    });
    expect(() => writer.requireAgreement()).not.toThrow();
    await writer[Symbol.asyncDispose]();

    // The witness that saw the end of the lost incarnation contradicts nothing any more, and neither does one of the new.
    const later = startWriter(books, [witness, new StagedWitness('payouts', linkOf(next))]);
    expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied', link: { incarnation: 1 } });
    expect(() => later.requireAgreement()).not.toThrow();
  });

  test('settles the link of a witness that the ledger has decided otherwise, for every writer that comes', async () => {
    const [lost] = await lostDecisions(1);
    const books = await emptyBooks();
    const before = startWriter(books, []);
    await ask(creditDeposit(accountId));
    await before[Symbol.asyncDispose]();
    const witness = new StagedWitness('deposits', { ...linkOf(lost!), hash: 'f'.repeat(64) });
    const found = await range(books, [witness]);
    expect(found.contradictions).toMatchObject([{ disagreement: 'differs' }]);
    await approveIncarnation(books, { approvalId: randomUUID(), range: found, ...by });
    const opening = startWriter(books, [witness]);
    expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied', link: { incarnation: 1 } });
    await opening[Symbol.asyncDispose]();
    // The witness has asked for nothing since, and so still has the link that was approved.
    const later = startWriter(books, [witness]);
    expect(await ask(creditDeposit(accountId))).toMatchObject({ outcome: 'applied', link: { incarnation: 1 } });
    expect(() => later.requireAgreement()).not.toThrow();
  });

  test('opens nothing when a witness has seen more than its operators knew of', async () => {
    const lost = await lostDecisions(3);
    const books = await emptyBooks();
    const witness = new StagedWitness('deposits', linkOf(lost[0]!));
    const known = await range(books, [witness]);
    await approveIncarnation(books, { approvalId: randomUUID(), range: known, ...by });
    witness.link = linkOf(lost[2]!);
    const writer = startWriter(books, [witness]);
    await eventually(() => expect(() => writer.requireAgreement()).toThrow('link 0/3'));
    expect(await headOf(books)).toBe(0);
    await approveIncarnation(books, { approvalId: randomUUID(), range: await range(books, [witness]), ...by });
    expect((await ask(creditDeposit(accountId))).balances).toMatchObject([{ available: 4 * 9_900 }]);
  });

  test('has a number beyond every one that a witness has seen: the backup may be older than an incarnation', async () => {
    const books = await emptyBooks();
    const seen = { shard: 0, incarnation: 4, sequence: 2, hash: 'a'.repeat(64) };
    const found = await range(books, [new StagedWitness('deposits', seen)]);
    expect(await approveIncarnation(books, { approvalId: randomUUID(), range: found, ...by })).toEqual({ number: 5 });
  });

  test('is refused on a chain that lost nothing, and on one that has gone on since', async () => {
    const [lost] = await lostDecisions(1);
    const books = await emptyBooks();
    const witness = new StagedWitness('deposits', { ...linkOf(lost!), sequence: 9 });
    const early = await range(books, [witness]);
    startWriter(books, []);
    await ask(creditDeposit(accountId));
    await expect(approveIncarnation(books, { approvalId: randomUUID(), range: early, ...by })).rejects.toThrow(
      'not the one that was approved',
    );
    const sound = await range(books, [new StagedWitness('payouts', null)]);
    await expect(approveIncarnation(books, { approvalId: randomUUID(), range: sound, ...by })).rejects.toThrow(
      'no witness contradicts',
    );
  });
});
