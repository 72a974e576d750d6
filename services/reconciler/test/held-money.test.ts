import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { askAgain } from '#src/comparisons/ask-again.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { after, arrive, booked, compare, matchesOf, openBooks } from './books.ts';
import { account, record, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  sides = new SidesByHand(database);
  services = sides.services;
});

const statesOf = async () => (await matchesOf(database)).matches.map(({ subject, state }) => [subject, state]);
const exceptions = async () =>
  await database.query(
    `select provider, subject, reason, amount, r_amount as r, l_amount as l, state from exception order by opened_at, subject`,
  );

const transit = (amount: number) => ['transit:payouts', 'system', 'BRL', amount] as const;
const held = (id: string, state: string) => record('payout', id, { state, amount: 7_000 });

function debit(id: string): void {
  services.decide({ kind: 'debit-payout', id: `debit-payout:${id}` }, [[...transit(7_000)]]);
}

describe('what payouts have in transit', () => {
  test('is in transit while the record is under way, and drains when it is paid or given back', async () => {
    const [paid, failed] = [newId('payout'), newId('payout')].toSorted() as [string, string];
    debit(paid);
    debit(failed);
    services.records.push(held(paid, 'SENDING'), held(failed, 'SENDING'));
    await sides.readLedger();
    expect(await statesOf()).toEqual([paid, failed].map((id) => [`clearing:${id}`, 'matched']));
    services.decide({ kind: 'settle-payout', id: `settle-payout:${paid}` }, [
      [...transit(-7_000)],
      ['provider:efi', 'system', 'BRL', 7_000],
    ]);
    services.decide({ kind: 'reverse-payout', id: `reverse-payout:${failed}` }, [[...transit(-7_000)]]);
    services.records.splice(0, 2, held(paid, 'PAID'), held(failed, 'FAILED'));
    services.passSeconds(1);
    await sides.readLedger();
    expect((await matchesOf(database)).matches.filter(({ state }) => state !== 'matched')).toEqual([]);
    expect((await matchesOf(database)).matches.filter(({ subject }) => subject.startsWith('clearing:'))).toMatchObject([
      { provider: 'transit:payouts', r: 0, l: 0 },
      { provider: 'transit:payouts', r: 0, l: 0 },
    ]);
  });

  test('is an exception where a command took it that no record accounts for', async () => {
    const id = newId('payout');
    debit(id);
    await sides.readLedger();
    await sides.waitSeconds(299);
    expect(await exceptions()).toEqual([]);
    await sides.waitSeconds(2);
    const found = { provider: 'transit:payouts', subject: `clearing:${id}`, reason: 'clearing_differs' };
    expect(await exceptions()).toMatchObject([{ ...found, amount: 7_000, r: 0, l: 7_000 }]);
  });

  test('is an exception where a command gave it back that is still under way, until the record ends', async () => {
    const id = newId('payout');
    debit(id);
    services.decide({ kind: 'reverse-payout', id: `reverse-payout:${id}` }, [[...transit(-7_000)]]);
    services.records.push(held(id, 'SENDING'));
    await sides.readLedger();
    await sides.waitSeconds(301);
    const found = { subject: `clearing:${id}`, reason: 'clearing_differs', r: 7_000, l: 0 };
    expect(await exceptions()).toMatchObject([{ ...found, state: 'OPEN' }]);
    services.records[0] = held(id, 'FAILED');
    services.passSeconds(1);
    await askAgain(sides.dependencies, 'live', sides.places, 'unexplained');
    expect(await exceptions()).toMatchObject([{ ...found, state: 'EXPLAINED' }]);
  });
});

test('a receipt that waits in suspense is there until it has gone back', async () => {
  const id = newId('refund');
  const provider = (amount: number) => ['provider:efi', 'system', 'BRL', amount] as const;
  const suspense = (amount: number) => ['suspense', 'system', 'BRL', amount] as const;
  services.decide({ kind: 'hold-receipt', id: `hold-receipt:${id}` }, [[...provider(-500)], [...suspense(500)]]);
  services.records.push(record('orphan_receipt', id, { amount: 500, state: 'RETURNING' }));
  await sides.readLedger();
  expect((await matchesOf(database)).matches).toMatchObject([
    { subject: `payment:${id}`, state: 'matched' },
    { subject: `clearing:${id}`, state: 'matched', r: 500, l: 500 },
  ]);
  services.decide({ kind: 'return-receipt', id: `return-receipt:${id}` }, [[...suspense(-500)], [...provider(500)]]);
  services.passSeconds(1);
  await sides.readLedger();
  await sides.waitSeconds(301);
  expect(await exceptions()).toContainEqual(expect.objectContaining({ provider: 'suspense', r: 500, l: 0 }));
  services.records[0] = record('orphan_receipt', id, { amount: 500, state: 'RETURNED' });
  await askAgain(sides.dependencies, 'live', sides.places, 'unexplained');
  expect((await matchesOf(database)).matches.map(({ state }) => state)).toEqual(['matched', 'matched', 'matched']);
});

describe('what a dispute is about', () => {
  const blocked = (id: string) =>
    services.decide({ kind: 'block-dispute', id: `block-dispute:${id}`, ...{ amount: 900 } }, []);
  const dispute = (id: string, state: string) => record('dispute', id, { amount: 900, state });

  test('is blocked while it is open, and is an exception where it was released without a decision', async () => {
    const id = newId('dispute');
    blocked(id);
    services.records.push(dispute(id, 'OPEN'));
    await sides.readLedger();
    expect(await statesOf()).toEqual([[`clearing:${id}`, 'matched']]);
    services.decide({ kind: 'release-dispute', id: `release-dispute:${id}` }, []);
    services.passSeconds(1);
    await sides.readLedger();
    await sides.waitSeconds(301);
    expect(await exceptions()).toMatchObject([
      { provider: 'blocked', subject: `clearing:${id}`, reason: 'clearing_differs', r: 900, l: 0 },
    ]);
    services.records[0] = dispute(id, 'WON');
    await askAgain(sides.dependencies, 'live', sides.places, 'unexplained');
    expect(await exceptions()).toMatchObject([{ state: 'EXPLAINED' }]);
  });

  test('is an exception where no dispute is on record', async () => {
    const id = newId('dispute');
    blocked(id);
    await sides.readLedger();
    await sides.waitSeconds(301);
    expect(await exceptions()).toMatchObject([{ provider: 'blocked', subject: `clearing:${id}`, r: 0, l: 900 }]);
  });

  const provider = (amount: number) => ['provider:efi', 'system', 'BRL', amount] as const;
  /** Its first decision, and the one that takes the money. */
  async function lost(id: string): Promise<void> {
    blocked(id);
    services.decide({ kind: 'return-dispute', id: `return-dispute:${id}` }, [
      [account, 'blocked', 'BRL', -900],
      [...provider(900)],
    ]);
    services.records.push(record('dispute', id, { amount: 900, state: 'LOST', returned: 900, e2eId: 'E1' }));
    await sides.readLedger();
    services.decide(
      { kind: 'overturn-dispute', id: `overturn-dispute:${id}` },
      [[account, 'available', 'BRL', 900], [...provider(-900)]],
      [[newId('ledgerEntry'), account, 'BRL', 1, 'MED_RELEASE', 900, 'dispute', id, 900]],
    );
    services.passSeconds(1);
  }
  const matched = (id: string) =>
    ['clearing', 'dispute_overturn', 'dispute_return'].map((kind) => [`${kind}:${id}`, 'matched']);

  test('that was lost, and won before its record said so, is asked for again, and has gone and come back', async () => {
    const id = newId('dispute');
    await lost(id);
    await sides.readLedger();
    services.records[0] = { ...services.records[0]!, state: 'WON', returned: 0, overturned: 900 };
    await sides.waitSeconds(20);
    expect((await statesOf()).toSorted()).toEqual(matched(id));
  });

  test.each([
    ['', 900],
    [' before records kept what that gave back', null],
  ])('that was lost, and won after all%s, is rebuilt as it was read', async (_when, overturned) => {
    const id = newId('dispute');
    await lost(id);
    services.records[0] = { ...services.records[0]!, state: 'WON', returned: 0, overturned };
    await sides.readLedger();
    const before = await matchesOf(database);
    expect((await statesOf()).toSorted()).toEqual(matched(id));
    await database.pool.query(rebuildScript);
    while (await sides.readLedger());
    await sides.readAllRecords();
    await sides.waitSeconds(600);
    expect(await matchesOf(database)).toEqual(before);
    expect(await exceptions()).toEqual([]);
  });
});

describe('what a deposit says has gone back by refunds', () => {
  const refunded = (id: string, depositId: string, members: object) =>
    record('refund', id, { amount: 400, state: 'DONE', depositId, ...members });

  function refund(depositId: string): string {
    const id = newId('refund');
    const postings = [['provider:efi', 'system', 'BRL', 400]] as const;
    services.decide({ kind: 'refund-deposit', id: `refund-deposit:${id}`, ...{ depositId } }, [[...postings[0]]]);
    return id;
  }

  test('is what the ledger has booked, and an exception of both amounts where its row says otherwise', async () => {
    const depositId = newId('deposit');
    const id = refund(depositId);
    services.records.push(refunded(id, depositId, { backByRefunds: 400 }));
    await sides.readLedger();
    const explained = [
      [`refund:${id}`, 'matched'],
      [`refunded:${depositId}`, 'matched'],
    ];
    expect(await statesOf()).toEqual(explained);
    services.records[0] = refunded(id, depositId, { backByRefunds: 100 });
    await sides.readAllRecords();
    await sides.waitSeconds(301);
    const found = { subject: `refunded:${depositId}`, reason: 'refunded_differs', amount: 300, r: -100, l: -400 };
    expect(await exceptions()).toMatchObject([{ ...found, state: 'OPEN' }]);
    services.records[0] = refunded(id, depositId, { backByRefunds: 400 });
    await sides.readAllRecords();
    expect(await statesOf()).toEqual(explained);
  });

  test('is explained without a line, also where the statement of the provider is compared', async () => {
    await compare(database);
    const depositId = newId('deposit');
    const id = refund(depositId);
    services.records.push(refunded(id, depositId, { backByRefunds: 400 }));
    await sides.readLedger();
    await sides.waitSeconds(301);
    expect(await statesOf()).toEqual([
      [`refund:${id}`, 'waiting'],
      [`refunded:${depositId}`, 'matched'],
    ]);
    expect(await exceptions()).toEqual([]);
  });

  test('is an exception where its row says so and no refund was ever booked', async () => {
    const depositId = newId('deposit');
    services.credit(depositId, 1_000, { refunded: 250, depositId, backByRefunds: 250 });
    await sides.readLedger();
    await sides.waitSeconds(301);
    expect(await exceptions()).toMatchObject([{ subject: `refunded:${depositId}`, r: -250, l: 0 }]);
  });
});

test('more matches that differ than fit on a page are all asked about, round by round', async () => {
  const missing = Array.from({ length: 401 }, () => newId('deposit'));
  const facts = missing.map((id) => booked(`credit-deposit:${id}`, 500, { accountId: account, recordId: id }));
  // The one that can be explained comes last.
  facts.push(
    booked('credit-deposit:dep_last', 500, { accountId: account, recordId: 'dep_last', occurredAt: after(0.1) }),
  );
  await arrive(database, { facts });
  services.records.push(record('payment', 'dep_last', { amount: 500, state: 'CREDITED' }));
  services.passSeconds(15);
  expect(await askAgain(sides.dependencies, 'live', sides.places)).toBe(true);
  expect((await matchesOf(database)).matches.filter(({ state }) => state === 'matched')).toEqual([]);
  expect(await askAgain(sides.dependencies, 'live', sides.places)).toBe(false);
  expect((await matchesOf(database)).matches.filter(({ state }) => state === 'matched')).toMatchObject([
    { subject: 'payment:dep_last' },
  ]);
});
