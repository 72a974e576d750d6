import { beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { askAgain, AskedPlaces } from '#src/comparisons/ask-again.ts';
import { sweep } from '#src/matching/sweep.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { ledgerAgain } from '#src/migrations/0009-ledger-again.ts';
import { environmentsRead, readLedger } from '#src/sides/read-ledger.ts';
import type { Sources } from '#src/sides/sources.ts';
import { dueWorkers, workers } from '#src/workers.ts';
import { openBooks } from './books.ts';
import { record, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  sides = new SidesByHand(database);
  services = sides.services;
});

const exceptions = async () => await database.query('select subject, reason, state from exception order by subject');
const ofRecords = async () => (await database.query(`select 1 from fact where side = 'R'`)).length;

/** Does once what the service does all the time. */
async function work(name: 'matches' | 'records'): Promise<void> {
  const all = [...workers(sides.dependencies as never), ...dueWorkers(sides.dependencies as never)];
  await all.find((worker) => worker.name === name)?.work(new AbortController().signal);
}

/** Some months of history, more decisions than are read at once. */
function history(): void {
  for (let count = 0; count < 2_001; count += 1) services.credit(newId('deposit'), 100);
  services.passSeconds(90 * 86_400);
}

test('records are not read while months of decisions are still to be read, and are when they have been', async () => {
  history();
  await work('records');
  expect(await ofRecords()).toBe(0);
  expect(await sides.readLedger()).toBe(true);
  await work('records');
  expect(await ofRecords()).toBe(2_000);
  await sides.readLedger();
  await sides.readLedger();
  services.records.push(record('refund', newId('refund')));
  services.records.splice(0, 2_001);
  await work('records');
  await work('records');
  expect(await ofRecords()).toBe(2_002);
});

test('what records say of decisions that are still to be read is no exception, however long that takes', async () => {
  history();
  await sides.readAllRecords();
  await sides.readLedger();
  services.passSeconds(600);
  await work('matches');
  expect(await exceptions()).toEqual([]);
  await sides.readLedger();
  await sides.readLedger();
  services.passSeconds(600);
  await sides.readLedger();
  await work('matches');
  expect(await exceptions()).toEqual([]);
  services.records.push(record('refund', newId('refund')));
  services.passSeconds(2 * 86_400);
  await sides.readAllRecords();
  services.passSeconds(2 * 86_400);
  await work('matches');
  expect(await exceptions()).toEqual([]);
  await sides.readLedger();
  await work('matches');
  expect(await exceptions()).toMatchObject([{ reason: 'record_without_ledger', state: 'OPEN' }]);
});

/** Reads while a service answers otherwise. */
async function readWith(sources: Partial<Sources>): Promise<boolean> {
  const { dependencies } = sides;
  const other = { ...dependencies, sources: { ...dependencies.sources, ...sources } };
  return await readLedger(other, { environment: 'live', shard: 0 });
}

test('decisions whose records cannot be asked for are not read, and nothing follows from what records do not say', async () => {
  services.credit(newId('deposit'), 500);
  const away = readWith({ records: () => Promise.reject(new Error('deposits is away')) });
  await expect(away).rejects.toThrow('deposits is away');
  expect(await environmentsRead(sides.dependencies)).toEqual([]);
  await sides.readLedger();
  expect(await environmentsRead(sides.dependencies)).toEqual(['live']);
});

test('pages before one that cannot be read are entered, and the reading goes on there', async () => {
  for (let count = 0; count < 450; count += 1) services.credit(newId('deposit'), 100);
  const { links } = sides.dependencies.sources;
  const firstPage: Sources['links'] = async (asked) =>
    asked.after === 0 ? await links(asked) : Promise.reject(new Error('the ledger is away'));
  expect(await readWith({ links: firstPage })).toBe(true);
  expect(await ofRecords()).toBe(400);
  await expect(readWith({ links: firstPage })).rejects.toThrow('the ledger is away');
  expect(await sides.readLedger()).toBe(false);
  expect(await ofRecords()).toBe(450);
});

test('after an upgrade what went back and what is held before it are read from the ledger once more', async () => {
  const [deposit, refund] = [newId('deposit'), newId('refund')];
  services.credit(deposit, 5_000, { depositId: deposit, backByRefunds: 2_000, refunded: 2_000 });
  services.decide({ kind: 'refund-deposit', id: `refund-deposit:${refund}`, ...{ depositId: deposit } }, [
    ['provider:efi', 'system', 'BRL', 2_000],
  ]);
  services.records.push(record('refund', refund, { amount: 2_000, depositId: deposit, backByRefunds: 2_000 }));
  await sides.readLedger();
  // The version before had neither.
  await database.query(`delete from fact where kind = 'refunded'; delete from match where kind = 'refunded'`);
  await database.pool.query(ledgerAgain.sql ?? '');
  await sides.readAllRecords();
  await sides.readLedger();
  services.passSeconds(2 * 86_400);
  await sides.readLedger();
  await sweep(sides.dependencies, await environmentsRead(sides.dependencies));
  expect(await exceptions()).toEqual([]);
  expect(await database.query(`select state, r_amount as r, l_amount as l from match where kind = 'refunded'`)).toEqual(
    [{ state: 'matched', r: -2_000, l: -2_000 }],
  );
});

test('while another process reads the ledger once more after a rebuild, nothing follows from what is not read yet', async () => {
  history();
  await sides.readLedger();
  await sides.readLedger();
  const other = services.dependencies(database);
  await readLedger(other, { environment: 'live', shard: 0 });
  expect(await environmentsRead(other)).toEqual(['live']);
  await database.pool.query(rebuildScript);
  await sides.readAllRecords();
  for (const isRead of [false, true]) {
    await askAgain(other, 'live', new AskedPlaces());
    await sweep(other, await environmentsRead(other));
    expect(await exceptions()).toEqual([]);
    expect(await environmentsRead(other)).toEqual([]);
    expect(await sides.readLedger()).toBe(!isRead);
  }
  expect(await environmentsRead(other)).toEqual(['live']);
});
