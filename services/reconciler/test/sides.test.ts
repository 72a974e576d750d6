import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { askForReturns } from '#src/comparisons/ask-for-returns.ts';
import { checkDeliveries, checkMissingDeliveries } from '#src/comparisons/check-deliveries.ts';
import { readLedger, type SidesDependencies } from '#src/sides/read-ledger.ts';
import { arrive, compare, line, matchesOf, openBooks } from './books.ts';
import { account, record, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  await database.query('truncate reading, adjustment');
  sides = new SidesByHand(database);
  services = sides.services;
});

const statesOf = async () => (await matchesOf(database)).matches.map(({ subject, state }) => [subject, state]);
const exceptions = async () =>
  await database.query(
    `select subject, reason, r_amount as r, l_amount as l, state from exception order by opened_at, subject`,
  );

describe('what the ledger has decided', () => {
  test('is matched with its records as it is read, each decision once', async () => {
    const [one, other] = [newId('deposit'), newId('deposit')];
    services.credit(one, 10_000, { fee: 100 });
    await sides.readLedger();
    expect(await statesOf()).toEqual([[`payment:${one}`, 'matched']]);
    services.credit(other, 500);
    await sides.readLedger();
    await sides.readLedger();
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
    expect(await sides.readLedger()).toBe(false);
    await sides.readLedger();
    expect(await statesOf()).toEqual([[`payment:${ids[0]}`, 'matched']]);
  });

  test('is read in several pages at once, so that what lies between two decisions on a record is asked for once', async () => {
    const ids = Array.from({ length: 2_010 }, () => newId('deposit'));
    for (const id of ids) services.credit(id, 500);
    const asked: number[] = [];
    const { sources } = sides.dependencies;
    const records: typeof sources.records = async (environment, places) => {
      asked.push(places.length);
      return await sources.records(environment, places);
    };
    const dependencies = { ...sides.dependencies, sources: { ...sources, records } };
    const read = async () => await readLedger(dependencies, { environment: 'live', shard: 0 });
    expect(await read()).toBe(true);
    expect(await database.query('select place from reading')).toMatchObject([{ place: { sequence: 2_000 } }]);
    expect(await read()).toBe(false);
    expect(asked).toEqual([2_000, 10]);
    expect(await database.query('select place from reading')).toMatchObject([{ place: { sequence: 2_010 } }]);
    expect((await statesOf()).filter(([, state]) => state === 'matched').length).toBe(ids.length);
  });

  test('is read up to a changed link of a later page and no further', async () => {
    for (let made = 0; made < 500; made++) services.credit(newId('deposit'), 500);
    services.links[450] = { ...services.links[450]!, request: '{}' };
    expect(await sides.readLedger()).toBe(false);
    expect(await database.query('select place from reading')).toMatchObject([{ place: { sequence: 450 } }]);
    expect(sides.dependencies.caughtUp.get('live')).toBeUndefined();
  });

  test('is not taken for read up to now by a ledger that was restored without what was read', async () => {
    const ids = [newId('deposit'), newId('deposit')];
    ids.forEach((id) => services.credit(id, 500));
    await sides.readLedger();
    const caughtUpAt = services.now;
    expect(sides.dependencies.caughtUp.get('live')?.at).toEqual(caughtUpAt);
    services.links.splice(1);
    services.passSeconds(60);
    await sides.readLedger();
    services.credit(newId('deposit'), 700);
    await sides.readLedger();
    expect(sides.dependencies.caughtUp.get('live')?.at).toEqual(caughtUpAt);
    expect(await statesOf()).toEqual(ids.toSorted().map((id) => [`payment:${id}`, 'matched']));
  });

  test('is known to have been there, up to the last link that is as it was written, once it is entered', async () => {
    const seen: unknown[] = [];
    const saw: SidesDependencies['saw'] = (environment, link) => seen.push({ environment, ...link });
    const read = async () => await readLedger({ ...sides.dependencies, saw }, { environment: 'live', shard: 0 });
    await read();
    for (const amount of [500, 600, 700]) services.credit(newId('deposit'), amount);
    services.links[2] = { ...services.links[2]!, request: '{}' };
    await read();
    const { hash } = services.links[1]!;
    expect(seen).toEqual([{ environment: 'live', shard: 0, incarnation: 2, sequence: 2, hash }]);
  });

  test('is not entered by two who read it at the same time', async () => {
    services.credit(newId('deposit'), 500);
    const results = await Promise.allSettled([sides.readLedger(), sides.readLedger()]);
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
    await sides.readLedger();
    await arrive(database, { lines: [line('l1', -700, { kind: 'other', returnId: 'D1' })] }, services.now);
    services.records[0] = record('refund', refund, { amount: 700, returnId: 'D1' });
    services.passSeconds(20);
    await askForReturns(sides.dependencies, 'live');
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
    await sides.readLedger();
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
    await sides.readLedger();
    await sides.waitSeconds(20);
    expect(await exceptions()).toEqual([]);
    await sides.waitSeconds(20);
    expect(await exceptions()).toMatchObject([{ subject: `payment:${id}`, reason: 'ledger_without_record' }]);
  });

  test('a record that is committed a moment later is matched when it is asked for again', async () => {
    const id = newId('deposit');
    services.credit(id, 500);
    const late = services.records.splice(0);
    await sides.readLedger();
    services.records.push(...late);
    await sides.waitSeconds(5);
    expect(await statesOf()).toEqual([[`payment:${id}`, 'matched']]);
    expect(await exceptions()).toEqual([]);
  });

  test('a record that says it was paid, without a decision, is an exception after all records were read', async () => {
    const id = newId('payout');
    services.records.push(record('payout', id, { state: 'PAID' }));
    await sides.readAllRecords();
    await sides.waitSeconds(40);
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
    await sides.readLedger();
    expect(await statesOf()).toEqual([
      [`payout:${id}`, 'matched'],
      [`payout_return:${id}:D1`, 'matched'],
      [`clearing:${id}`, 'matched'],
    ]);
    services.records[0] = { ...payout, returned: 5_000, returns: [{ ...part, amount: 5_000 }] };
    await sides.readAllRecords();
    await sides.waitSeconds(40);
    expect(await exceptions()).toEqual([
      { subject: `payout_return:${id}:D1`, reason: 'amount_differs', r: 5_000, l: 2_000, state: 'OPEN' },
    ]);
    services.records[0] = { ...payout, returned: 5_000 };
    await sides.readAllRecords();
    await sides.waitSeconds(40);
    expect(await exceptions()).toContainEqual(
      expect.objectContaining({ subject: `payout_return:${id}:uncounted`, r: 3_000, l: 0, state: 'OPEN' }),
    );
  });

  test('a refund that was reversed is explained by both, and reading all records again changes nothing', async () => {
    const id = newId('refund');
    services.decide({ kind: 'refund-deposit', id: `refund-deposit:${id}` }, [['provider:efi', 'system', 'BRL', 400]]);
    services.records.push(record('refund', id, { state: 'SENDING', amount: 400 }));
    await sides.readLedger();
    services.decide({ kind: 'reverse-refund', id: `reverse-refund:${id}` }, [['provider:efi', 'system', 'BRL', -400]]);
    services.records[0] = record('refund', id, { state: 'FAILED', amount: 400 });
    services.passSeconds(1);
    await sides.readLedger();
    expect(await statesOf()).toEqual([[`refund:${id}`, 'matched']]);
    const revision = async () => await database.query(`select revision from fact where side = 'R'`);
    const before = await revision();
    await sides.readAllRecords();
    expect(await revision()).toEqual(before);
  });

  test('a fee that the record has not is an exception', async () => {
    const id = newId('deposit');
    services.credit(id, 10_000, { fee: 100 });
    services.records[0] = { ...services.records[0]!, fee: 90 };
    await sides.readLedger();
    expect(await exceptions()).toMatchObject([{ subject: `fee:${id}`, reason: 'fee_differs', r: 90, l: 100 }]);
  });
});

test('an event without a delivery, and without a reason for that, is an exception until there is one', async () => {
  const id = newId('deposit');
  services.credit(id, 500);
  await sides.readLedger();
  const destination = { endpointId: newId('webhook'), status: null, reason: null };
  services.outcome = [destination];
  await checkDeliveries(sides.dependencies, 'live');
  expect(await exceptions()).toEqual([]);
  services.passSeconds(60);
  await checkDeliveries(sides.dependencies, 'live');
  const found = { subject: `event:deposit.paid:${id}`, reason: 'event_without_delivery' };
  expect(await exceptions()).toMatchObject([{ ...found, state: 'OPEN' }]);
  services.outcome = [{ ...destination, status: 'PENDING' }];
  await checkMissingDeliveries(sides.dependencies, 'live', sides.places);
  expect(await exceptions()).toMatchObject([{ ...found, state: 'EXPLAINED' }]);
});
