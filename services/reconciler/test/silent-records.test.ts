import { beforeEach, describe, expect, test } from 'vitest';
import { idSequence, newId } from '@gateway/money';
import { matchesOf, openBooks } from './books.ts';
import { record, type Services, SidesByHand } from './sources.ts';

// What is changed in the tables of a service by hand, past all that it does itself.

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  await database.query('truncate reading, adjustment');
  sides = new SidesByHand(database);
  services = sides.services;
});

const provider = (amount: number) => ['provider:efi', 'system', 'BRL', amount] as const;
const exceptions = async () =>
  await database.query(
    'select subject, reason, r_amount as r, l_amount as l, state from exception order by opened_at, subject',
  );

async function readNight(): Promise<void> {
  services.passSeconds(86_400);
  await sides.readLedger();
  await sides.readAllRecords();
  await sides.waitSeconds(40);
}

describe('a record that said once what the ledger has booked, and says it no more', () => {
  /** A payout of 70.00, of which 20.00 came back. */
  function returned() {
    const id = newId('payout');
    services.decide({ kind: 'settle-payout', id: `settle-payout:${id}` }, [[...provider(7_000)]]);
    services.decide({ kind: 'return-payout', id: `return-payout:${id}:D1` }, [[...provider(-2_000)]]);
    const part = { returnId: 'D1', name: 'D1', amount: 2_000, isCredited: true };
    const payout = record('payout', id, { state: 'PAID', amount: 7_000, returned: 2_000, returns: [part] });
    services.records.push(payout);
    return { id, payout, part };
  }

  test('is an exception when the record is read again, until it says it again', async () => {
    const { id, payout, part } = returned();
    await sides.readLedger();
    await readNight();
    expect(await exceptions()).toEqual([]);
    services.records[0] = { ...payout, returned: 0, returns: [{ ...part, isCredited: false }] };
    await readNight();
    const found = { subject: `payout_return:${id}:D1`, reason: 'ledger_without_record', r: 0, l: 2_000 };
    expect(await exceptions()).toEqual([{ ...found, state: 'OPEN' }]);
    services.records[0] = payout;
    await readNight();
    expect(await exceptions()).toEqual([{ ...found, state: 'EXPLAINED' }]);
  });

  test('is an exception where the record is gone', async () => {
    const [kept, gone] = [newId('deposit'), newId('deposit')];
    services.credit(kept, 500);
    services.credit(gone, 700);
    await sides.readLedger();
    services.records.pop();
    await readNight();
    expect(await exceptions()).toMatchObject([{ subject: `payment:${gone}`, reason: 'ledger_without_record', l: 700 }]);
  });

  test('is found in the night in which its month has its turn', async () => {
    const [may, june, october] = [5, 6, 10].map((month) => idSequence('deposit')(Date.UTC(2026, month - 1, 10)));
    const all = [may!, june!, october!];
    all.forEach((id) => services.credit(id, 500));
    await readNight();
    services.records.length = 0;
    const silent = async () => {
      await readNight();
      return await database.query(`select record_id from fact where side = 'R' and amount = 0 order by record_id`);
    };
    expect(await silent()).toEqual([may, october].map((id) => ({ record_id: id })));
    expect(await silent()).toEqual(all.map((id) => ({ record_id: id })));
  });

  /** A deposit of which 3.00 went back, and whose row does not say so any more. */
  async function countedNoMore(): Promise<string> {
    const [deposit, refund] = [newId('deposit'), newId('refund')];
    services.credit(deposit, 500, { depositId: deposit, refunded: 300, backByRefunds: 300 });
    services.decide({ kind: 'refund-deposit', id: `refund-deposit:${refund}`, ...{ depositId: deposit } }, [
      [...provider(300)],
    ]);
    services.records.push(record('refund', refund, { amount: 300, depositId: deposit, backByRefunds: 300 }));
    await sides.readLedger();
    Object.assign(services.records[0]!, { depositId: null, refunded: 0, backByRefunds: null });
    return deposit;
  }

  test('is none where a refund goes back again, and its deposit counts it no more', async () => {
    await countedNoMore();
    Object.assign(services.records[1]!, { state: 'REVERSING' });
    await readNight();
    expect(await exceptions()).toEqual([]);
    expect((await matchesOf(database)).matches.map(({ state }) => state)).toEqual(['matched', 'matched', 'matched']);
  });

  test('is an exception where a deposit says no more that something has gone back', async () => {
    const deposit = await countedNoMore();
    Object.assign(services.records[1]!, { backByRefunds: 0 });
    await readNight();
    services.passSeconds(300);
    await sides.waitSeconds(1);
    expect(await exceptions()).toMatchObject([{ subject: `refunded:${deposit}`, reason: 'refunded_differs', l: -300 }]);
  });

  test('is none where the record of a dispute says nothing of what came back of it', async () => {
    const id = newId('dispute');
    services.decide({ kind: 'return-dispute', id: `return-dispute:${id}` }, [[...provider(900)]]);
    services.decide({ kind: 'overturn-dispute', id: `overturn-dispute:${id}` }, [[...provider(-900)]]);
    services.records.push(record('dispute', id, { amount: 900, state: 'WON', overturned: null }));
    await sides.readLedger();
    await readNight();
    expect((await matchesOf(database)).matches.map(({ subject, state }) => [subject, state])).toEqual([
      [`clearing:${id}`, 'matched'],
      [`dispute_overturn:${id}`, 'matched'],
      [`dispute_return:${id}`, 'matched'],
    ]);
  });
});

describe('the row of a deposit', () => {
  test.each([
    ['another amount than its payment', { deposited: 600 }, 100],
    ['that nothing was paid', { deposited: 0 }, -500],
  ])('that says %s is an exception of the difference, until it says the same', async (_what, changed, amount) => {
    const id = newId('deposit');
    services.credit(id, 500, { deposited: 500 });
    await sides.readLedger();
    Object.assign(services.records[0]!, changed);
    await readNight();
    const found = { subject: `payment:${id}:deposit`, reason: 'record_without_ledger', r: amount, l: 0 };
    expect(await exceptions()).toEqual([{ ...found, state: 'OPEN' }]);
    Object.assign(services.records[0]!, { deposited: 500 });
    await readNight();
    expect(await exceptions()).toEqual([{ ...found, state: 'EXPLAINED' }]);
  });

  test('that says nothing of a payment which is not credited yet, or was refused, is as it has to be', async () => {
    const ids = [newId('deposit'), newId('deposit')];
    services.records.push(record('payment', ids[0]!, { state: 'RECEIVED', deposited: 0 }));
    services.records.push(record('payment', ids[1]!, { state: 'REFUSED', deposited: 0 }));
    services.credit(ids[0]!, 1_000);
    services.records.pop();
    await readNight();
    expect(await exceptions()).toEqual([]);
  });

  test('that says it was paid, without a payment, is an exception', async () => {
    const id = newId('deposit');
    services.records.push(record('payment', id, { state: 'MISSING', amount: 500, deposited: 500 }));
    await readNight();
    const found = { subject: `payment:${id}:deposit`, reason: 'record_without_ledger', r: 500, l: 0 };
    expect(await exceptions()).toEqual([{ ...found, state: 'OPEN' }]);
  });

  test('that says it was paid, and whose payment is gone, is an exception of both sums, until the payment is there again', async () => {
    const id = newId('deposit');
    services.credit(id, 500, { deposited: 500 });
    await sides.readLedger();
    await readNight();
    expect(await exceptions()).toEqual([]);
    Object.assign(services.records[0]!, { state: 'MISSING' });
    await readNight();
    const found = [
      { subject: `payment:${id}`, reason: 'ledger_without_record', r: 0, l: 500 },
      { subject: `payment:${id}:deposit`, reason: 'record_without_ledger', r: 500, l: 0 },
    ];
    expect(await exceptions()).toEqual(found.map((each) => ({ ...each, state: 'OPEN' })));
    Object.assign(services.records[0]!, { state: 'CREDITED' });
    await readNight();
    expect(await exceptions()).toEqual(found.map((each) => ({ ...each, state: 'EXPLAINED' })));
  });
});

test('a fee that a record has changed to after it was booked is an exception', async () => {
  const [deposit, payout] = [newId('deposit'), newId('payout')];
  services.credit(deposit, 10_000, { fee: 100 });
  services.decide({ kind: 'debit-payout', id: `debit-payout:${payout}`, ...{ amount: 7_000, fee: 30 } }, [
    ['transit:payouts', 'system', 'BRL', 7_000],
  ]);
  services.records.push(record('payout', payout, { state: 'PENDING', amount: 7_000, fee: 30 }));
  await sides.readLedger();
  await readNight();
  expect(await exceptions()).toEqual([]);
  services.records.forEach((each, index) => (services.records[index] = { ...each, fee: each.fee - 10 }));
  await readNight();
  const differs = { reason: 'fee_differs', state: 'OPEN' };
  expect(await exceptions()).toEqual([
    { ...differs, subject: `fee:${deposit}`, r: 90, l: 100 },
    { ...differs, subject: `fee:${payout}`, r: 20, l: 30 },
  ]);
});
