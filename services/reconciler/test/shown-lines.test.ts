import { expect, test } from 'vitest';
import { getException } from '#src/exceptions/exception-rows.ts';
import { linesOfRecords } from '#src/lines/lines-of-records.ts';
import { listLines } from '#src/lines/read-lines.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, line, openBooks, payment, record } from './books.ts';

const database = await openBooks();

test('a list has the beginning of each line and how long it is, and an exception the whole line', async () => {
  const whole = `x${'ç'.repeat(1_000_000)}`;
  await arrive(database, { lines: [line('long', 100, { raw: Buffer.from(whole) }), line('short', 200)] });
  await sweep({ database, now: () => after(6) });
  const { lines } = await listLines({ database }, { limit: 200 });
  expect(lines.map(({ raw, rawBytes }) => [raw, rawBytes])).toEqual([
    [`x${'ç'.repeat(511)}`, 2_000_001],
    ['short', 5],
  ]);
  const [exception] = await database.query<{ id: string }>('select id from exception where amount = 100');
  const shown = await getException({ database }, { id: exception?.id ?? '' });
  expect(shown.lines.map(({ raw, rawBytes }) => [raw === whole, rawBytes])).toEqual([[true, 2_000_001]]);
});

test('an exception of many long lines is answered, with the first of them whole', async () => {
  const raw = Buffer.alloc(900_000, 'x');
  const parts = Array.from({ length: 12 }, (_, at) => line(`part-${10 + at}`, 10, { raw, batchKey: 'batch-1' }));
  const lines = [line('batch-1', 100, { kind: 'batch' }), ...parts];
  await arrive(database, { lines });
  await sweep({ database, now: () => after(60 * 24) });
  const [exception] = await database.query<{ id: string }>(`select id from exception where reason = 'batch_differs'`);
  const shown = await getException({ database }, { id: exception?.id ?? '' });
  expect(shown.lines).toHaveLength(13);
  expect(shown.lines.filter((each) => each.raw?.length === 900_000)).toHaveLength(2);
  expect(shown.lines.filter((each) => each.raw?.length === 1_024)).toHaveLength(10);
});

test('a record is shown with its line: of several the first that was booked, and none of test mode or without one', async () => {
  const { id: paid, items } = payment(5_000, 'E1');
  const lines = [
    ...items.lines,
    line('out', -700, { kind: 'payout', ourRef: 'ref-1' }),
    line('back', 700, { kind: 'payout_return', returnId: 'D1', bookedAt: after(-5) }),
    // Taken when the payout began, and put back when it failed.
    line('z-taken', -100, { kind: 'payout', e2eId: 'E3', bookedAt: after(1) }),
    line('a-put-back', 100, { kind: 'payout_return', e2eId: 'E3', bookedAt: after(2) }),
  ];
  const facts = [
    ...items.facts,
    record('payout', 'pyt_1', -700, { ourRef: 'ref-1' }),
    record('payout_return', 'pyt_1:D1', 700, { returnId: 'D1' }),
    record('payout', 'pyt_3', 0, { e2eId: 'E3' }),
    record('payment', 'dep_unpaid', 10, { e2eId: 'E9' }),
    record('payment', 'dep_test', 5_000, { e2eId: 'E1', environment: 'test' }),
  ];
  await arrive(database, { lines, facts });
  const records = [paid, 'pyt_1', 'pyt_3', 'dep_unpaid', 'dep_test', 'dep_nowhere'];
  const found = (await linesOfRecords({ database }, { records })).lines;
  expect(new Map(found.map(({ recordId, lineKey }) => [recordId, lineKey]))).toEqual(
    new Map([
      [paid, 'line-E1'],
      ['pyt_1', 'out'],
      ['pyt_3', 'z-taken'],
    ]),
  );
  expect(found.find(({ recordId }) => recordId === paid)).toEqual({
    ...{ recordId: paid, provider: 'efi', currency: 'BRL', lineKey: 'line-E1', amount: 5_000, e2eId: 'E1' },
    ...{ bookedAt: after(0).toISOString(), state: 'matched' },
  });
});
