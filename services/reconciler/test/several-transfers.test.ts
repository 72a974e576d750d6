import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { getException } from '#src/exceptions/exception-rows.ts';
import { waitForRest } from '#src/comparisons/gathered-transfers.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, compare, line, matchesOf, openBooks } from './books.ts';
import { type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  await compare(database);
  await database.query('truncate reading, adjustment');
  sides = new SidesByHand(database);
  services = sides.services;
});

const shown = async () =>
  (await matchesOf(database)).matches.map(({ subject, state, p, r, l }) => [subject, state, p, r, l]);

/** A payment of 100.00 in three transfers, of which two are equal. */
function paid(): string {
  const id = newId('deposit');
  const transfers = [
    { e2eId: 'E1', amount: 3_000 },
    { e2eId: 'E2', amount: 3_000 },
  ];
  services.credit(id, 10_000, { e2eId: 'E3', transfers });
  return id;
}

const all = [line('1', 3_000, { e2eId: 'E1' }), line('2', 3_000, { e2eId: 'E2' }), line('3', 4_000, { e2eId: 'E3' })];

test.each([
  ['before it', [0, 1, 2], []],
  ['after it', [], [0, 1, 2]],
  ['in between', [0], [2, 1]],
])(
  'a payment in several transfers is explained by the lines of all of them, that came %s',
  async (_when, first, then) => {
    for (const at of first) await arrive(database, { lines: [all[at]!] });
    const id = paid();
    await sides.readLedger();
    for (const at of then) await arrive(database, { lines: [all[at]!] });
    expect(await shown()).toEqual([[`payment:${id}`, 'matched', 10_000, 10_000, 10_000]]);
  },
);

test('a transfer of a payment that the statement does not have, or has twice, is an exception that shows the others', async () => {
  const id = paid();
  await sides.readLedger();
  await arrive(database, { lines: [...all.slice(0, 2), line('again', 3_000, { e2eId: 'E2', bookedAt: after(1) })] });
  await sweep({ database, now: () => after(24 * 60) });
  const found = await database.query<{ id: string; reason: string; amount: number }>(
    'select id, reason, amount from exception order by subject',
  );
  expect(found).toMatchObject([
    { reason: 'duplicate_line', amount: 3_000 },
    { reason: 'amount_differs', amount: -4_000 },
  ]);
  const seen = await getException({ database }, { id: found[1]!.id });
  expect(seen.lines.map(({ lineKey }) => lineKey)).toEqual(['1', '2']);
  expect(
    seen.facts
      .filter(({ side }) => side === 'R')
      .map(({ key, amount }) => [key, amount])
      .toSorted(),
  ).toEqual([
    [`payment:${id}`, 4_000],
    [`payment:${id}:1`, 3_000],
    [`payment:${id}:2`, 3_000],
  ]);
});

describe('transfers that do not cover their charge yet', () => {
  const reference = 'charge1';
  const lines = ['1', '2'].map((key) => line(key, 3_000, { e2eId: `E${key}`, ourRef: reference }));
  const waitsUntilMs = after(60).getTime();
  const transfer = (number: number, amount = 3_000) =>
    services.gathered.push({
      ...{ reference, provider: 'efi', currency: 'BRL', e2eId: `E${number}`, amount, waitsUntilMs },
    });
  const subjects = async () =>
    (await database.query<{ subject: string }>('select subject from exception order by subject')).map(
      ({ subject }) => subject,
    );

  async function passMinutes(minutes: number): Promise<void> {
    services.passSeconds(minutes * 60);
    await waitForRest(sides.dependencies);
    await sweep(sides.dependencies);
  }

  test('wait as long as the charge does, and are an exception when nothing has become of them then', async () => {
    await arrive(database, { lines });
    [1, 2].forEach((number) => transfer(number));
    await passMinutes(4);
    await passMinutes(60);
    expect(await subjects()).toEqual([]);
    services.gathered.length = 0;
    await passMinutes(7);
    expect(await subjects()).toEqual(['line:payment:1', 'line:payment:2']);
  });

  test('are explained with the rest', async () => {
    await arrive(database, { lines });
    [1, 2].forEach((number) => transfer(number));
    await passMinutes(4);
    const id = newId('deposit');
    const transfers = [
      { e2eId: 'E1', amount: 3_000 },
      { e2eId: 'E2', amount: 3_000 },
    ];
    services.credit(id, 10_000, { e2eId: 'E3', transfers });
    await sides.readLedger();
    await arrive(database, { lines: [line('3', 4_000, { e2eId: 'E3', ourRef: reference })] });
    expect(await shown()).toEqual([[`payment:${id}`, 'matched', 10_000, 10_000, 10_000]]);
  });

  test('are an exception in the usual time where deposits knows nothing of them, or less than the statement', async () => {
    const doubled = line('again', 3_000, { e2eId: 'E2', ourRef: reference });
    await arrive(database, { lines: [...lines, doubled] });
    transfer(1, 2_999);
    transfer(2);
    await passMinutes(4);
    await passMinutes(2);
    expect(await subjects()).toEqual(['line:payment:1', 'line:payment:2', 'line:payment:again']);
  });
});
