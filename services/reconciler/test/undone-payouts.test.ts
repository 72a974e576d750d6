import { beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, compare, line, matchesOf, openBooks, record } from './books.ts';

const database = await openBooks();
beforeEach(async () => compare(database));

const shown = async () =>
  (await matchesOf(database)).matches.map(({ subject, state, p, r, l }) => [subject, state, p, r, l]);

describe('a payout that its provider took and put back', () => {
  const taken = line('taken', -700, { kind: 'payout', e2eId: 'E1', ourRef: 'ref1' });
  const back = line('back', 700, { kind: 'payout_return', e2eId: 'E1', bookedAt: after(1) });
  const failed = record('payout', 'pyt_1', 0, { ourRef: 'ref1' });
  const explained = [['payout:pyt_1', 'matched', 0, 0, 0]];

  test.each([
    ['record, taken, back', [{ facts: [failed] }, { lines: [taken] }, { lines: [back] }]],
    ['back, taken, record', [{ lines: [back] }, { lines: [taken] }, { facts: [failed] }]],
    ['taken and back, record', [{ lines: [taken, back] }, { facts: [failed] }]],
    ['record, back, taken', [{ facts: [failed] }, { lines: [back] }, { lines: [taken] }]],
  ])('is explained by both lines and the record that failed, in the order %s', async (_order, batches) => {
    for (const items of batches) await arrive(database, items);
    expect(await shown()).toEqual(explained);
    await sweep({ database, now: () => after(2 * 24 * 60) });
    expect(await database.query('select 1 from exception')).toEqual([]);
  });

  test('waits for the line that puts it back, and no longer than a day', async () => {
    await arrive(database, { facts: [failed], lines: [taken] });
    expect(await shown()).toEqual([['payout:pyt_1', 'waiting', -700, 0, 0]]);
    await sweep({ database, now: () => after(24 * 60) });
    expect(await database.query('select reason, amount from exception')).toEqual([
      { reason: 'amount_differs', amount: -700 },
    ]);
    await arrive(database, { lines: [back] });
    expect(await shown()).toEqual(explained);
  });

  test('is not put back by another amount, and put back once', async () => {
    const other = { ...back, lineKey: 'other', amount: 701, bookedAt: after(0.5) };
    const again = { ...back, lineKey: 'back2', bookedAt: after(2) };
    await arrive(database, { facts: [failed], lines: [taken, other, again, back] });
    expect(await shown()).toEqual([
      ['line:payout_return:back2', 'waiting', 700, 0, 0],
      ['line:payout_return:other', 'waiting', 701, 0, 0],
      ...explained,
    ]);
  });

  test('is a difference where the record says that it was paid', async () => {
    const paid = [record('payout', 'pyt_1', -700, { ourRef: 'ref1' }), booked('settle-payout:pyt_1', -700)];
    await arrive(database, { facts: paid, lines: [taken] });
    expect(await shown()).toEqual([['payout:pyt_1', 'matched', -700, -700, -700]]);
    await arrive(database, { lines: [back] });
    expect(await shown()).toEqual([['payout:pyt_1', 'waiting', 0, -700, -700]]);
  });
});

describe('a refund that came back from the bank of its payer', () => {
  const sent = line('sent', -700, { kind: 'refund', returnId: 'T1', ourRef: 'ref1' });
  const back = line('back', 700, { kind: 'payout_return', e2eId: 'T1', returnId: 'T1', bookedAt: after(1) });
  const failed = [
    record('refund', 'rfd_1', 0, { returnId: 'T1', ourRef: 'ref1' }),
    booked('refund-deposit:rfd_1', -700),
    booked('reverse-refund:rfd_1:returned', 700),
  ];

  test.each([
    ['sent, back, record', [{ lines: [sent] }, { lines: [back] }, { facts: failed }]],
    ['record, back, sent', [{ facts: failed }, { lines: [back] }, { lines: [sent] }]],
  ])('is explained by both lines and the record that failed, in the order %s', async (_order, batches) => {
    for (const items of batches) await arrive(database, items);
    expect(await shown()).toEqual([['refund:rfd_1', 'matched', 0, 0, 0]]);
  });

  test('is a difference while its money is not back, and is no payout of the same id that came back', async () => {
    const other = { ...back, lineKey: 'less', amount: 600 };
    await arrive(database, { facts: failed, lines: [sent, other] });
    expect(await shown()).toEqual([
      ['line:payout_return:less', 'waiting', 600, 0, 0],
      ['refund:rfd_1', 'waiting', -700, 0, 0],
    ]);
    const returned = [
      record('payout_return', 'pyt_1:T1', 600, { returnId: 'T1' }),
      booked('return-payout:pyt_1:T1', 600),
    ];
    await arrive(database, { facts: returned });
    expect(await shown()).toEqual([
      ['payout_return:pyt_1:T1', 'matched', 600, 600, 600],
      ['refund:rfd_1', 'waiting', -700, 0, 0],
    ]);
  });
});

describe('a line that does not say whether it is a refund or was taken back', () => {
  const lost = [
    record('dispute_return', 'med_1', -900, { e2eId: 'E1', ourRef: 'charge1' }),
    booked('return-dispute:med_1', -900),
  ];
  const sent = line('sent', -900, { kind: 'other', returnId: 'D1', ourRef: 'charge1' });

  test('is of the dispute on the charge that it names, where the amount is the same', async () => {
    await arrive(database, { facts: lost, lines: [sent] });
    expect(await shown()).toEqual([['dispute_return:med_1', 'matched', -900, -900, -900]]);
  });

  test('is not of the dispute where the amount is another, or where a refund has its id', async () => {
    const refund = [record('refund', 'rfd_1', -900, { returnId: 'D1' }), booked('refund-deposit:rfd_1', -900)];
    await arrive(database, { facts: lost, lines: [{ ...sent, lineKey: 'less', returnId: 'D2', amount: -800 }, sent] });
    await arrive(database, { facts: refund });
    expect(await shown()).toEqual([
      ['dispute_return:med_1', 'waiting', 0, -900, -900],
      ['line:other:less', 'waiting', -800, 0, 0],
      ['refund:rfd_1', 'matched', -900, -900, -900],
    ]);
  });
});

test('money that came back after a dispute was won is of the dispute, and not the payment itself', async () => {
  const facts = [
    record('payment', 'dep_1', 900, { e2eId: 'E1' }),
    booked('credit-deposit:dep_1', 900),
    record('dispute_overturn', 'med_1', 900, { e2eId: 'E1' }),
    booked('overturn-dispute:med_1', 900),
  ];
  const overturned = line('pdr', 900, { kind: 'other', e2eId: 'E1', returnId: 'D1' });
  await arrive(database, { facts, lines: [overturned] });
  expect(await shown()).toEqual([
    ['dispute_overturn:med_1', 'matched', 900, 900, 900],
    ['payment:dep_1', 'waiting', 0, 900, 900],
  ]);
});

test('money that came back after a dispute was won is of the dispute on the charge that its line names', async () => {
  const facts = [
    record('dispute_overturn', 'med_1', 900, { e2eId: 'E1', ourRef: 'charge1' }),
    booked('overturn-dispute:med_1', 900),
  ];
  const overturned = line('back', 900, { kind: 'dispute_overturn', returnId: 'D1', ourRef: 'charge1' });
  await arrive(database, { facts, lines: [overturned, { ...overturned, lineKey: 'less', amount: 800 }] });
  expect(await shown()).toEqual([
    ['dispute_overturn:med_1', 'matched', 900, 900, 900],
    ['line:dispute_overturn:less', 'waiting', 800, 0, 0],
  ]);
});
