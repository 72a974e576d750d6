import { beforeEach, describe, expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import { sweep } from '#src/matching/sweep.ts';
import {
  after,
  arrive,
  booked,
  compare,
  emptyTables,
  line,
  matchesOf,
  noon,
  openBooks,
  payment,
  record,
} from './books.ts';

const database = await openBooks();
beforeEach(async () => compare(database));

const statesOf = async () => (await matchesOf(database)).matches.map(({ subject, state }) => [subject, state]);
const exceptions = () =>
  database.query('select subject, reason, amount, state from exception order by opened_at, subject');

describe('each kind is matched by its keys, whatever side comes first', () => {
  const cases = [
    ['payment', record('payment', 'dep_1', 100, { e2eId: 'E1' }), booked('credit-deposit:dep_1', 100), { e2eId: 'E1' }],
    ['payment', record('payment', 'rfd_1', 100, { e2eId: 'E1' }), booked('hold-receipt:rfd_1', 100), { e2eId: 'E1' }],
    [
      'refund',
      record('refund', 'rfd_1', -100, { ourRef: 'r1' }),
      booked('refund-deposit:rfd_1', -100),
      { ourRef: 'r1' },
    ],
    [
      'refund',
      record('refund', 'rfd_1', -100, { returnId: 'D1' }),
      booked('return-receipt:rfd_1', -100),
      { returnId: 'D1' },
    ],
    [
      'payout',
      record('payout', 'pyt_1', -100, { ourRef: 'p1' }),
      booked('settle-payout:pyt_1:again', -100),
      { ourRef: 'p1' },
    ],
    ['payout', record('payout', 'pyt_1', -100, { e2eId: 'E2' }), booked('redebit-payout:pyt_1', -100), { e2eId: 'E2' }],
    [
      'payout_return',
      record('payout_return', 'pyt_1:D2', 40, { returnId: 'D2' }),
      booked('return-payout:pyt_1:D2', 40),
      { returnId: 'D2' },
    ],
    [
      'dispute_return',
      record('dispute_return', 'med_1', -70, { returnId: 'D3' }),
      booked('return-dispute:med_1', -70),
      { returnId: 'D3' },
    ],
    [
      'dispute_overturn',
      record('dispute_overturn', 'med_1', 70, { e2eId: 'E3' }),
      booked('overturn-dispute:med_1', 70),
      { e2eId: 'E3' },
    ],
  ] as const;
  test.each(cases)('%s', async (kind, recorded, inLedger, keys) => {
    const items = [
      { lines: [line('1', recorded.amount, { kind, ...keys })] },
      { facts: [recorded] },
      { facts: [inLedger] },
    ];
    for (const first of [0, 1, 2]) {
      await emptyTables(database);
      await compare(database);
      for (const step of [0, 1, 2]) await arrive(database, items[(first + step) % 3]!);
      expect(await statesOf()).toEqual([[recorded.subject, 'matched']]);
    }
  });
});

test('a fee and a transfer of the provider are explained by what the ledger booked for their line', async () => {
  await arrive(database, {
    lines: [line('fee/1', -80, { kind: 'provider_fee' }), line('own:2', -9_000, { kind: 'own_transfer' })],
  });
  await arrive(database, { facts: [booked('provider-fee:fee/1', -80), booked('own-funds:own:2', -9_000)] });
  expect(await statesOf()).toEqual([
    ['line:own_transfer:own:2', 'matched'],
    ['line:provider_fee:fee/1', 'matched'],
  ]);
});

test('without a statement of its provider a payment is explained by record and ledger', async () => {
  const facts = [
    record('payment', 'dep_1', 100, { provider: 'bacen', e2eId: 'E1' }),
    booked('credit-deposit:dep_1', 100, { provider: 'bacen' }),
  ];
  await arrive(database, { facts });
  expect(await statesOf()).toEqual([['payment:dep_1', 'matched']]);
});

test('test mode has no lines, and is explained without them', async () => {
  const facts = [
    record('payment', 'dep_1', 100, { environment: 'test', e2eId: 'E1' }),
    booked('credit-deposit:dep_1', 100, { environment: 'test' }),
  ];
  await arrive(database, { facts });
  expect(await statesOf()).toEqual([['payment:dep_1', 'matched']]);
});

test('a side that stays away is an exception of its whole amount when the time of its kind has run out', async () => {
  const { items } = payment(5_000, 'E1');
  await arrive(database, { facts: items.facts });
  await sweep({ database, now: () => after(4) });
  expect(await exceptions()).toEqual([]);
  await sweep({ database, now: () => after(5) });
  expect(await exceptions()).toEqual([
    { subject: items.facts[0]!.subject, reason: 'record_without_line', amount: 5_000, state: 'OPEN' },
  ]);
  await arrive(database, { lines: items.lines }, after(6));
  expect(await exceptions()).toMatchObject([{ state: 'EXPLAINED' }]);
  expect(await statesOf()).toEqual([[items.facts[0]!.subject, 'matched']]);
});

test('what is booked after its statement is compared needs a line, however early its record says that it moved', async () => {
  const [before, days] = [new Date('2025-12-31T12:00:00Z'), (count: number) => after(count * 24 * 60)];
  await database.query('update statement_source set compared_from = $1', [noon]);
  const facts = (id: string, decidedAt: Date) => [
    record('payment', id, 100, { occurredAt: before }),
    booked(`credit-deposit:${id}`, 100, { occurredAt: decidedAt }),
  ];
  await arrive(database, { facts: [...facts('dep_1', days(7)), ...facts('dep_2', days(9))] });
  expect(await statesOf()).toEqual([
    ['payment:dep_1', 'matched'],
    ['payment:dep_2', 'waiting'],
  ]);
});

test('differences of +5000, +4444 and −100000 are three exceptions and 109,444 unexplained', async () => {
  const forged = [booked('credit-deposit:dep_1', 5_000), booked('credit-deposit:dep_2', 4_444)];
  await arrive(database, { facts: [...forged, booked('settle-payout:pyt_3', -100_000)] });
  await sweep({ database, now: () => after(2_000) });
  expect(await exceptions()).toMatchObject([
    { reason: 'ledger_without_record', amount: 5_000 },
    { reason: 'ledger_without_record', amount: 4_444 },
    { reason: 'ledger_without_record', amount: -100_000 },
  ]);
  const [sum] = await database.query<{ amount: number }>(
    `select sum(abs(l_amount))::bigint as amount from match where state = 'unexplained'`,
  );
  expect(sum).toEqual({ amount: 109_444 });
});

test('a line that the provider doubled is one match and one exception', async () => {
  const { id, items } = payment(5_000, 'E1');
  await arrive(database, items);
  await arrive(database, { lines: [line('line-E1-again', 5_000, { e2eId: 'E1' })] });
  await sweep({ database, now: () => after(6) });
  expect(await statesOf()).toEqual([
    ['line:payment:line-E1-again', 'unexplained'],
    [`payment:${id}`, 'matched'],
  ]);
  expect(await exceptions()).toMatchObject([
    { subject: 'line:payment:line-E1-again', reason: 'duplicate_line', amount: 5_000 },
  ]);
});

test('a line takes no record that another line has by a better key', async () => {
  await arrive(database, {
    lines: [line('1', -900, { kind: 'payout', ourRef: 'p1' })],
    facts: [record('payout', 'pyt_1', -900, { ourRef: 'p1', e2eId: 'E1' }), booked('settle-payout:pyt_1', -900)],
  });
  await arrive(database, { lines: [line('2', -900, { kind: 'payout', e2eId: 'E1' })] });
  expect(await statesOf()).toEqual([
    ['line:payout:2', 'waiting'],
    ['payout:pyt_1', 'matched'],
  ]);
});

test('two equal payments in one second are two matches', async () => {
  const [one, other] = [payment(5_000, 'E1'), payment(5_000, 'E2')];
  await arrive(database, { lines: [...one.items.lines, ...other.items.lines] });
  await arrive(database, { facts: [...other.items.facts, ...one.items.facts] });
  expect(await statesOf()).toEqual([
    [`payment:${one.id}`, 'matched'],
    [`payment:${other.id}`, 'matched'],
  ]);
});

test('a line of equal amount, time and party is no match without a key', async () => {
  const { id, items } = payment(5_000, 'E1');
  await arrive(database, { facts: items.facts, lines: [line('1', 5_000)] });
  await sweep({ database, now: () => after(6) });
  expect(await statesOf()).toEqual([
    ['line:payment:1', 'unexplained'],
    [`payment:${id}`, 'unexplained'],
  ]);
});

test('a refund that was given back is explained by nothing at the provider', async () => {
  await arrive(database, { facts: [record('refund', 'rfd_1', -50), booked('refund-deposit:rfd_1', -50)] });
  await arrive(database, {
    facts: [record('refund', 'rfd_1', 0, { revision: 1 }), booked('reverse-refund:rfd_1', 50)],
  });
  expect(await statesOf()).toEqual([['refund:rfd_1', 'matched']]);
});

test('amounts that differ by one are not explained', async () => {
  const { items } = payment(5_000, 'E1');
  await arrive(database, { facts: items.facts, lines: [{ ...items.lines[0]!, amount: 5_001 }] });
  await sweep({ database, now: () => after(6) });
  expect(await exceptions()).toMatchObject([{ reason: 'amount_differs', amount: 1 }]);
});

test('a line that settles many is explained when its parts add up to it', async () => {
  const [one, other] = [payment(3_000, 'E1'), payment(2_000, 'E2')];
  const parts = [...one.items.lines, ...other.items.lines].map((part) => ({ ...part, batchKey: 'B' }));
  await arrive(database, { lines: [line('B', 5_000, { kind: 'batch' }), ...parts.slice(0, 1)] });
  expect(await statesOf()).toContainEqual(['line:batch:B', 'waiting']);
  await arrive(database, { lines: parts, facts: [...one.items.facts, ...other.items.facts] });
  expect(new Set((await statesOf()).map(([, state]) => state))).toEqual(new Set(['matched']));
});

/** As the alert has it. */
async function fallenBack(): Promise<number> {
  const { text } = await metricsText();
  return Number(/^gateway_recon_fallen_back_total\{environment="live",kind="payment"\} (\d+)/m.exec(text)?.[1]);
}

test('a match falls back when a side changes, and what it was is kept', async () => {
  const before = await fallenBack();
  const { id, items } = payment(5_000, 'E1');
  await arrive(database, items);
  await arrive(database, { lines: [{ ...items.lines[0]!, amount: 4_000, revision: 1 }] }, after(60));
  expect(await statesOf()).toEqual([[`payment:${id}`, 'waiting']]);
  const kept = await database.query('select subject, side, amount from match_side order by side');
  expect(kept).toEqual(['L', 'P', 'R'].map((side) => ({ subject: `payment:${id}`, side, amount: 5_000 })));
  await sweep({ database, now: () => after(66) });
  expect(await exceptions()).toMatchObject([{ reason: 'amount_differs', amount: -1_000 }]);
  expect(await fallenBack()).toBe(before + 1);
});

test('what agrees but for its line waits until the file of its day is due', async () => {
  await emptyTables(database);
  await compare(database, 'file');
  await arrive(database, { facts: payment(5_000, 'E1').items.facts });
  await sweep({ database, now: () => after(10) });
  expect(await exceptions()).toEqual([]);
  await sweep({ database, now: () => new Date('2026-11-21T12:59:00Z') });
  expect(await exceptions()).toEqual([]);
  await sweep({ database, now: () => new Date('2026-11-21T13:00:00Z') });
  expect(await exceptions()).toMatchObject([{ reason: 'record_without_line' }]);
  expect(noon.getUTCDate()).toBe(20);
});

test('lines, records and links that arrive at the same moment by several replicas are all matched, once', async () => {
  const payments = Array.from({ length: 2 }, (_, index) => payment(100 + index, `E${index}`));
  const batches = payments.flatMap(({ items: { lines, facts } }) => [
    { lines },
    ...facts.map((fact) => ({ facts: [fact] })),
    { lines, facts },
  ]);
  await Promise.all(batches.map((batch) => arrive(database, batch)));
  const { matches } = await matchesOf(database);
  expect(matches).toHaveLength(2);
  for (const { state, p, r, l } of matches) expect({ state, r, l }).toEqual({ state: 'matched', r: p, l: p });
});

test('what a process had entered when it died is entered by the next one, once', async () => {
  const { id, items } = payment(5_000, 'E1');
  const died = database.transaction(async (tx) => {
    await itemsArrived(tx, items, noon);
    throw new Error('killed');
  });
  await expect(died).rejects.toThrow('killed');
  expect(await statesOf()).toEqual([]);
  await arrive(database, items);
  await arrive(database, items);
  expect((await matchesOf(database)).matches).toMatchObject([
    { subject: `payment:${id}`, p: 5_000, r: 5_000, l: 5_000 },
  ]);
});

test('two sweeps at the same moment open one exception', async () => {
  await arrive(database, { lines: [line('8', 77, { kind: 'other' })] });
  await Promise.all([1, 2, 3].map(() => sweep({ database, now: () => after(6) })));
  expect(await exceptions()).toHaveLength(1);
});
