import { beforeEach, expect, test } from 'vitest';
import { approveResolution, proposeResolution, rejectResolution } from '#src/matching/decide-exception.ts';
import { enterStoredLines, pinLine } from '#src/matching/items-arrived.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, compare, line, matchesOf, openBooks, payment, record } from './books.ts';

const database = await openBooks();
beforeEach(async () => compare(database));

const late = { now: () => after(10_000) };
const ana = { operator: 'ana', now: after(20_000) };
const bia = { operator: 'bia', now: after(20_001) };
const exceptions = () =>
  database.query<{ id: string; subject: string; state: string }>(
    'select id, subject, reason, amount, state, proposed_by, resolved_by from exception order by id',
  );
const idOf = async (subject: string) => (await exceptions()).find((each) => each.subject === subject)?.id ?? '';

async function decide(subject: string): Promise<void> {
  const id = await idOf(subject);
  await database.transaction((tx) => proposeResolution(tx, { id, ...ana }, { action: 'foreign', note: 'not ours' }));
  await database.transaction((tx) => approveResolution(tx, { id, ...bia }));
}

test('rebuilt from nothing the reconciler has the same matches, and what people have decided holds', async () => {
  const [one, other] = [payment(5_000, 'E1'), payment(700, 'E2')];
  const facts = [
    ...one.items.facts,
    ...other.items.facts,
    record('payout', 'pyt_1', -900, { ourRef: 'p1' }),
    booked('settle-payout:pyt_1', -900),
    booked('credit-deposit:dep_forged', 4_444),
    record('refund', 'rfd_1', -50, { returnId: 'D1' }),
  ];
  const pinned = line('9', -900, { kind: 'other' });
  const strange = line('8', 77, { kind: 'other' });
  const doubled = line('again', 5_000, { e2eId: 'E1' });
  await arrive(database, { lines: [...one.items.lines, ...other.items.lines, pinned, strange, doubled], facts });
  await sweep({ database, ...late });
  await decide('line:other:8');
  const id = await idOf('payment:dep_forged');
  await database.transaction((tx) => proposeResolution(tx, { id, ...ana }, { action: 'adjust', note: 'forged' }));
  await database.transaction((tx) => pinLine(tx, pinned, 'payout:pyt_1', after(20_002)));
  const before = { ...(await matchesOf(database)), exceptions: await exceptions() };
  expect(new Set(before.matches.map(({ state }) => state))).toEqual(
    new Set(['matched', 'unexplained', 'proposed', 'resolved']),
  );

  await database.pool.query(rebuildScript);
  expect((await matchesOf(database)).matches).toEqual([]);
  await arrive(database, { facts: facts.slice(4) }, after(30_000));
  await enterStoredLines({ database, now: () => after(30_001) });
  await arrive(database, { facts: facts.slice(0, 4) }, after(30_002));
  await sweep({ database, now: () => after(40_000) });
  expect({ ...(await matchesOf(database)), exceptions: await exceptions() }).toEqual(before);
});

test('an exception whose side came while everything was matched anew is open no longer', async () => {
  const { items } = payment(5_000, 'E1');
  await arrive(database, { facts: items.facts });
  await sweep({ database, ...late });
  await database.pool.query(rebuildScript);
  await arrive(database, items, after(10_001));
  await sweep({ database, now: () => after(10_002) });
  expect(await exceptions()).toMatchObject([{ state: 'EXPLAINED' }]);
});

test('a reader that was at work when everything was forgotten does not go on from its former place', async () => {
  await database.query(`insert into reading values ('ledger live.0', '7', now()), ('statement efi', '"k"', now())`);
  await database.pool.query(rebuildScript);
  const places = await database.query('select name, place from reading order by name');
  expect(places).toEqual([
    { name: 'ledger live.0', place: null },
    { name: 'statement efi', place: 'k' },
  ]);
});

test('an exception is resolved by two people, once, however many approve at the same moment', async () => {
  await arrive(database, { lines: [line('8', 77, { kind: 'other' })] });
  await sweep({ database, ...late });
  const id = await idOf('line:other:8');
  const propose = { action: 'foreign', note: 'not ours' };
  expect(await database.transaction((tx) => approveResolution(tx, { id, ...bia }))).toBeUndefined();
  await database.transaction((tx) => proposeResolution(tx, { id, ...ana }, propose));
  expect(await database.transaction((tx) => approveResolution(tx, { id, ...ana }))).toBeUndefined();
  await database.transaction((tx) => rejectResolution(tx, { id }));
  expect((await matchesOf(database)).matches).toMatchObject([{ state: 'unexplained' }]);
  await database.transaction((tx) => proposeResolution(tx, { id, ...ana }, propose));
  const approvals = await Promise.all(
    ['bia', 'caio', 'davi'].map((operator) =>
      database.transaction((tx) => approveResolution(tx, { id, operator, now: after(20_003) })),
    ),
  );
  expect(approvals.filter((approval) => approval !== undefined)).toHaveLength(1);
  expect((await matchesOf(database)).matches).toMatchObject([{ state: 'resolved' }]);
});

test('what was proposed for other sums is to be proposed again', async () => {
  const { id: deposit, items } = payment(5_000, 'E1');
  await arrive(database, { facts: items.facts });
  await sweep({ database, ...late });
  const id = await idOf(`payment:${deposit}`);
  await database.transaction((tx) =>
    proposeResolution(tx, { id, ...ana }, { action: 'declare', note: 'bank says so' }),
  );
  await arrive(database, { lines: [{ ...items.lines[0]!, amount: 1 }] }, after(20_004));
  expect(await database.transaction((tx) => approveResolution(tx, { id, ...bia }))).toBeUndefined();
  expect((await matchesOf(database)).matches).toMatchObject([{ state: 'unexplained' }]);
});

test('a resolved match whose side changes is open again', async () => {
  await arrive(database, { lines: [line('8', 77, { kind: 'other' })] });
  await sweep({ database, ...late });
  await decide('line:other:8');
  await arrive(database, { lines: [line('8', 78, { kind: 'other', revision: 1 })] }, after(20_005));
  await sweep({ database, now: () => after(40_000) });
  expect((await exceptions()).map(({ state }) => state)).toEqual(['RESOLVED', 'OPEN']);
});
