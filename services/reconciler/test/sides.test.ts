import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { askAgain, AskedPlaces } from '#src/comparisons/ask-again.ts';
import { askForReturns } from '#src/comparisons/ask-for-returns.ts';
import { checkAdjustments } from '#src/comparisons/check-adjustments.ts';
import { checkDeliveries, checkMissingDeliveries } from '#src/comparisons/check-deliveries.ts';
import { sweep } from '#src/matching/sweep.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { readLedger, type SidesDependencies } from '#src/sides/read-ledger.ts';
import { beginReadingRecords, readRecordPage } from '#src/sides/read-records.ts';
import { arrive, compare, emptyTables, line, matchesOf } from './books.ts';
import { account, record, Services } from './sources.ts';

let testDatabase: TestDatabase;
let database: TestDatabase['database'];
let services: Services;
let dependencies: SidesDependencies;
let places: AskedPlaces;
beforeAll(async () => {
  testDatabase = await createTestDatabase('reconciler', { migrations });
  database = testDatabase.database;
});
afterAll(async () => testDatabase[Symbol.asyncDispose]());
beforeEach(async () => {
  await emptyTables(database);
  await database.query('truncate reading, adjustment');
  places = new AskedPlaces();
  services = new Services();
  dependencies = services.dependencies(database);
});

const live = { environment: 'live', shard: 0 } as const;
const read = () => readLedger(dependencies, live);
const statesOf = async () => (await matchesOf(database)).matches.map(({ subject, state }) => [subject, state]);
const exceptions = async () =>
  await database.query(
    `select subject, reason, r_amount as r, l_amount as l, state from exception order by opened_at, subject`,
  );

/** Time passes, in which what differs is asked again and what is late becomes an exception. */
async function waitSeconds(seconds: number): Promise<void> {
  services.passSeconds(seconds);
  await read();
  await askAgain(dependencies, 'live', places);
  await sweep(dependencies);
}

async function readAllRecords(): Promise<void> {
  services.passSeconds(1);
  await beginReadingRecords(dependencies, services.now);
  while (await readRecordPage(dependencies));
}

describe('what the ledger has decided', () => {
  test('is matched with its records as it is read, each decision once', async () => {
    const [one, other] = [newId('deposit'), newId('deposit')];
    services.credit(one, 10_000, { fee: 100 });
    await read();
    expect(await statesOf()).toEqual([[`payment:${one}`, 'matched']]);
    services.credit(other, 500);
    await read();
    await read();
    expect(await statesOf()).toEqual([one, other].map((id) => [`payment:${id}`, 'matched']));
    expect(await database.query('select place from reading')).toMatchObject([{ place: { sequence: 2 } }]);
  });

  test.each([
    [
      'a link that was changed',
      (links: Services['links']) => (links[1] = { ...links[1]!, text: links[1]!.text.replace('500', '501') }),
    ],
    ['a link that is missing', (links: Services['links']) => links.splice(1, 1)],
    ['a request that was changed', (links: Services['links']) => (links[1] = { ...links[1]!, request: '{}' })],
  ])('is read up to %s and no further', async (_what, damage) => {
    const ids = [newId('deposit'), newId('deposit'), newId('deposit')];
    ids.forEach((id) => services.credit(id, 500));
    damage(services.links);
    expect(await read()).toBe(false);
    await read();
    expect(await statesOf()).toEqual([[`payment:${ids[0]}`, 'matched']]);
  });

  test('is not taken for read up to now by a ledger that was restored without what was read', async () => {
    const ids = [newId('deposit'), newId('deposit')];
    ids.forEach((id) => services.credit(id, 500));
    await read();
    const caughtUpAt = services.now;
    expect(dependencies.caughtUpAt.get('live')).toEqual(caughtUpAt);
    services.links.splice(1);
    services.passSeconds(60);
    await read();
    services.credit(newId('deposit'), 700);
    await read();
    expect(dependencies.caughtUpAt.get('live')).toEqual(caughtUpAt);
    expect(await statesOf()).toEqual(ids.toSorted().map((id) => [`payment:${id}`, 'matched']));
  });

  test('is not entered by two who read it at the same time', async () => {
    services.credit(newId('deposit'), 500);
    const results = await Promise.allSettled([read(), read()]);
    expect(results.map(({ status }) => status).sort()).not.toEqual(['rejected', 'rejected']);
    expect((await matchesOf(database)).matches).toMatchObject([{ r: 500, l: 500, state: 'matched' }]);
  });

  test('of a refund is explained by a line that names the return alone, though its record was read before it was sent', async () => {
    const refund = newId('refund');
    await compare(database);
    services.decide({ kind: 'refund-deposit', id: `refund-deposit:${refund}` }, [
      [account, 'available', 'BRL', -700],
      ['provider:efi', 'system', 'BRL', 700],
    ]);
    services.records.push(record('refund', refund, { amount: 700, state: 'SENDING' }));
    await read();
    await arrive(database, { lines: [line('l1', -700, { kind: 'other', returnId: 'D1' })] }, services.now);
    services.records[0] = record('refund', refund, { amount: 700, returnId: 'D1' });
    services.passSeconds(20);
    await askForReturns(dependencies, 'live');
    expect(await statesOf()).toEqual([[`refund:${refund}`, 'matched']]);
  });

  test('pays with a credit what a lost dispute lacks: a movement of the dispute', async () => {
    const [deposit, dispute] = [newId('deposit'), newId('dispute')];
    services.decide(
      { kind: 'credit-deposit', id: `credit-deposit:${deposit}` },
      [
        [account, 'available', 'BRL', 900],
        ['fees', 'system', 'BRL', 100],
        ['provider:efi', 'system', 'BRL', -1_000],
        [account, 'available', 'BRL', -300],
        ['provider:efi', 'system', 'BRL', 300],
      ],
      [
        [newId('ledgerEntry'), account, 'BRL', 1, 'DEPOSIT_NET', 900, 'deposit', deposit, 900],
        [newId('ledgerEntry'), account, 'BRL', 2, 'MED_BLOCK', -300, 'dispute', dispute, 600],
      ],
    );
    services.records.push(
      record('payment', deposit, { state: 'CREDITED' }),
      record('dispute', dispute, { state: 'LOST', returned: 300 }),
    );
    await read();
    expect(await statesOf()).toEqual([
      [`clearing:${dispute}`, 'matched'],
      [`dispute_return:${dispute}`, 'matched'],
      [`payment:${deposit}`, 'matched'],
    ]);
  });
});

describe('record and ledger', () => {
  test('a credit without a record is an exception within a minute', async () => {
    const id = newId('deposit');
    services.credit(id, 12_300_000);
    services.records.length = 0;
    await read();
    await waitSeconds(20);
    expect(await exceptions()).toEqual([]);
    await waitSeconds(20);
    expect(await exceptions()).toMatchObject([{ subject: `payment:${id}`, reason: 'ledger_without_record' }]);
  });

  test('a record that is committed a moment later is matched when it is asked for again', async () => {
    const id = newId('deposit');
    services.credit(id, 500);
    const late = services.records.splice(0);
    await read();
    services.records.push(...late);
    await waitSeconds(5);
    expect(await statesOf()).toEqual([[`payment:${id}`, 'matched']]);
    expect(await exceptions()).toEqual([]);
  });

  test('a record that says it was paid, without a decision, is an exception after all records were read', async () => {
    const id = newId('payout');
    services.records.push(record('payout', id, { state: 'PAID' }));
    await readAllRecords();
    await waitSeconds(40);
    expect(await exceptions()).toMatchObject([{ subject: `payout:${id}`, reason: 'record_without_ledger', r: -1_000 }]);
  });

  test('a payout that says 5000 came back, where the ledger has 2000, is an exception that names both', async () => {
    const id = newId('payout');
    services.decide({ kind: 'settle-payout', id: `settle-payout:${id}` }, [['provider:efi', 'system', 'BRL', 7_000]]);
    services.decide({ kind: 'return-payout', id: `return-payout:${id}:D1` }, [
      ['provider:efi', 'system', 'BRL', -2_000],
    ]);
    const part = { returnId: 'D1', name: 'D1', amount: 2_000, isCredited: true };
    const payout = record('payout', id, { state: 'PAID', amount: 7_000, returned: 2_000, returns: [part] });
    services.records.push(payout);
    await read();
    expect(await statesOf()).toEqual([
      [`payout:${id}`, 'matched'],
      [`payout_return:${id}:D1`, 'matched'],
      [`clearing:${id}`, 'matched'],
    ]);
    services.records[0] = { ...payout, returned: 5_000, returns: [{ ...part, amount: 5_000 }] };
    await readAllRecords();
    await waitSeconds(40);
    expect(await exceptions()).toEqual([
      { subject: `payout_return:${id}:D1`, reason: 'amount_differs', r: 5_000, l: 2_000, state: 'OPEN' },
    ]);
    services.records[0] = { ...payout, returned: 5_000 };
    await readAllRecords();
    await waitSeconds(40);
    expect(await exceptions()).toContainEqual(
      expect.objectContaining({ subject: `payout_return:${id}:uncounted`, r: 3_000, l: 0, state: 'OPEN' }),
    );
  });

  test('a refund that was reversed is explained by both, and reading all records again changes nothing', async () => {
    const id = newId('refund');
    services.decide({ kind: 'refund-deposit', id: `refund-deposit:${id}` }, [['provider:efi', 'system', 'BRL', 400]]);
    services.records.push(record('refund', id, { state: 'SENDING', amount: 400 }));
    await read();
    services.decide({ kind: 'reverse-refund', id: `reverse-refund:${id}` }, [['provider:efi', 'system', 'BRL', -400]]);
    services.records[0] = record('refund', id, { state: 'FAILED', amount: 400 });
    services.passSeconds(1);
    await read();
    expect(await statesOf()).toEqual([[`refund:${id}`, 'matched']]);
    const revision = async () => await database.query(`select revision from fact where side = 'R'`);
    const before = await revision();
    await readAllRecords();
    expect(await revision()).toEqual(before);
  });

  test('a fee that the record has not is an exception', async () => {
    const id = newId('deposit');
    services.credit(id, 10_000, { fee: 100 });
    services.records[0] = { ...services.records[0]!, fee: 90 };
    await read();
    expect(await exceptions()).toMatchObject([{ subject: `fee:${id}`, reason: 'fee_differs', r: 90, l: 100 }]);
  });
});

describe('an adjustment', () => {
  const id = newId('adjustment');
  const audited = { id, environment: 'live', accountId: account, currency: 'BRL', amount: 500 } as const;

  async function exceptionsWith(...rows: Services['audited']) {
    services.decide({ kind: 'adjust', id: `adjust:${id}`, ...{ amount: 500 } }, []);
    services.audited.push(...rows);
    await read();
    services.passSeconds(10);
    await checkAdjustments(dependencies);
    services.passSeconds(60);
    await checkAdjustments(dependencies);
    return await exceptions();
  }

  test('that one operator proposed and another approved is explained', async () => {
    expect(await exceptionsWith({ ...audited, proposedBy: 'ana', approvedBy: 'rui' })).toEqual([]);
  });

  test.each([
    ['nothing', []],
    ['its proposal alone', [{ ...audited, proposedBy: 'ana', approvedBy: null }]],
    ['one operator twice', [{ ...audited, proposedBy: 'ana', approvedBy: 'ana' }]],
    ['another amount', [{ ...audited, amount: 50, proposedBy: 'ana', approvedBy: 'rui' }]],
    ['another account', [{ ...audited, accountId: newId('account'), proposedBy: 'ana', approvedBy: 'rui' }]],
  ])('of which the audit trail has %s is an exception', async (_what, rows) => {
    expect(await exceptionsWith(...rows)).toMatchObject([{ reason: 'adjustment_not_approved', l: 500 }]);
  });
});

test('a transfer of our own that two operators have not declared is an exception', async () => {
  services.decide({ kind: 'own-funds', id: 'own-funds:efi:1', ...{ amount: 500 } }, []);
  await read();
  services.passSeconds(70);
  await checkAdjustments(dependencies);
  expect(await exceptions()).toMatchObject([
    { subject: 'adjustment:efi:1', reason: 'adjustment_not_approved', l: 500 },
  ]);
});

test('an event without a delivery, and without a reason for that, is an exception until there is one', async () => {
  const id = newId('deposit');
  services.credit(id, 500);
  await read();
  const destination = { endpointId: newId('webhook'), status: null, reason: null };
  services.outcome = [destination];
  await checkDeliveries(dependencies, 'live');
  expect(await exceptions()).toEqual([]);
  services.passSeconds(60);
  await checkDeliveries(dependencies, 'live');
  const found = { subject: `event:deposit.paid:${id}`, reason: 'event_without_delivery' };
  expect(await exceptions()).toMatchObject([{ ...found, state: 'OPEN' }]);
  services.outcome = [{ ...destination, status: 'PENDING' }];
  await checkMissingDeliveries(dependencies, 'live', places);
  expect(await exceptions()).toMatchObject([{ ...found, state: 'EXPLAINED' }]);
});
