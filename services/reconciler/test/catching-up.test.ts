import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { sweep } from '#src/matching/sweep.ts';
import { ledgerAgain } from '#src/migrations/0009-ledger-again.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { environmentsRead, readLedger, type SidesDependencies } from '#src/sides/read-ledger.ts';
import { beginReadingRecords, readRecordPage } from '#src/sides/read-records.ts';
import { dueWorkers, workers } from '#src/workers.ts';
import { emptyTables } from './books.ts';
import { record, Services } from './sources.ts';

let testDatabase: TestDatabase;
let database: TestDatabase['database'];
let services: Services;
let dependencies: SidesDependencies;
beforeAll(async () => {
  testDatabase = await createTestDatabase('reconciler', { migrations });
  database = testDatabase.database;
});
afterAll(async () => testDatabase[Symbol.asyncDispose]());
beforeEach(async () => {
  await emptyTables(database);
  services = new Services();
  dependencies = services.dependencies(database);
});

const read = () => readLedger(dependencies, { environment: 'live', shard: 0 });
const exceptions = async () => await database.query('select subject, reason, state from exception order by subject');
const ofRecords = async () => (await database.query(`select 1 from fact where side = 'R'`)).length;

/** Does once what the service does all the time. */
async function work(name: 'matches' | 'records'): Promise<void> {
  const all = [...workers(dependencies as never), ...dueWorkers(dependencies as never)];
  await all.find((worker) => worker.name === name)?.work(new AbortController().signal);
}

/** Some months of history, more than one page of decisions. */
function history(): void {
  for (let count = 0; count < 401; count += 1) services.credit(newId('deposit'), 100);
  services.passSeconds(90 * 86_400);
}

test('records are not read while months of decisions are still to be read, and are when they have been', async () => {
  history();
  await work('records');
  expect(await ofRecords()).toBe(0);
  expect(await read()).toBe(true);
  await work('records');
  expect(await ofRecords()).toBe(400);
  await read();
  await read();
  services.records.push(record('refund', newId('refund')));
  services.records.splice(0, 401);
  await work('records');
  await work('records');
  expect(await ofRecords()).toBe(402);
});

test('what records say of decisions that are still to be read is no exception, however long that takes', async () => {
  history();
  await beginReadingRecords(dependencies, services.now);
  while (await readRecordPage(dependencies));
  await read();
  services.passSeconds(600);
  await work('matches');
  expect(await exceptions()).toEqual([]);
  await read();
  await read();
  services.passSeconds(600);
  await read();
  await work('matches');
  expect(await exceptions()).toEqual([]);
  services.records.push(record('refund', newId('refund')));
  services.passSeconds(2 * 86_400);
  await beginReadingRecords(dependencies, services.now);
  while (await readRecordPage(dependencies));
  services.passSeconds(2 * 86_400);
  await work('matches');
  expect(await exceptions()).toEqual([]);
  await read();
  await work('matches');
  expect(await exceptions()).toMatchObject([{ reason: 'record_without_ledger', state: 'OPEN' }]);
});

test('after an upgrade what went back and what is held before it are read from the ledger once more', async () => {
  const [deposit, refund] = [newId('deposit'), newId('refund')];
  services.credit(deposit, 5_000, { depositId: deposit, backByRefunds: 2_000, refunded: 2_000 });
  services.decide({ kind: 'refund-deposit', id: `refund-deposit:${refund}`, ...{ depositId: deposit } }, [
    ['provider:efi', 'system', 'BRL', 2_000],
  ]);
  services.records.push(record('refund', refund, { amount: 2_000, depositId: deposit, backByRefunds: 2_000 }));
  await read();
  // The version before had neither.
  await database.query(`delete from fact where kind = 'refunded'; delete from match where kind = 'refunded'`);
  await database.pool.query(ledgerAgain.sql ?? '');
  await beginReadingRecords(dependencies, services.now);
  while (await readRecordPage(dependencies));
  await read();
  services.passSeconds(2 * 86_400);
  await read();
  await sweep(dependencies, environmentsRead(dependencies));
  expect(await exceptions()).toEqual([]);
  expect(await database.query(`select state, r_amount as r, l_amount as l from match where kind = 'refunded'`)).toEqual(
    [{ state: 'matched', r: -2_000, l: -2_000 }],
  );
});
