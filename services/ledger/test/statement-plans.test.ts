import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { openDatabase, type Database } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { readSettings } from '#src/postgres/session-settings.ts';
import { readEntries } from '#src/statement/list-entries.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

/** More than the five plans PostgreSQL makes before it considers to keep one. */
const reads = 8;
const owner = { environment: 'test', accountId: newId('account'), limit: 10 } as const;
let ledger: DirectLedger;
let database: Database;

beforeAll(async () => {
  ledger = await startDirectLedger();
  const pool = { poolMax: 2, sessionSettings: readSettings };
  database = await openDatabase({ url: ledger.url, entities: [], migrations, logger: silentLogger, ...pool });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await ledger[Symbol.asyncDispose]();
});

test('a page is planned once per connection, and read from indexes even if the tables were empty then', async () => {
  const filters = [{}, { type: 'PAYOUT' }, { refId: newId('deposit') }, { currency: 'BRL' }] as const;
  for (const filter of filters) expect((await readEntries(database, { ...owner, ...filter })).entries).toEqual([]);
  await ledger.write(creditDeposit(owner.accountId), debitPayout(owner.accountId));
  for (let read = 1; read < reads; read++) {
    for (const filter of filters) await readEntries(database, { ...owner, ...filter });
  }
  expect((await readEntries(database, owner)).entries).toHaveLength(3);
  expect((await readEntries(database, { ...owner, type: 'PAYOUT' })).entries).toMatchObject([{ type: 'PAYOUT' }]);
  const plans = await database.query<{ name: string; parameters: number; custom: number; generic: number }>(
    `select name, cardinality(parameter_types) as parameters, custom_plans as custom, generic_plans as generic
     from pg_prepared_statements where name like 'entries-%' order by name`,
  );
  expect(plans.map(({ name }) => name)).toEqual(['entries-by-account', 'entries-by-record', 'entries-by-type-PAYOUT']);
  for (const { name, parameters, custom, generic } of plans) {
    expect([custom, generic >= reads]).toEqual([0, true]);
    const values = Array<string>(parameters).fill('null').join(', ');
    const explained = await database.query(`explain execute "${name}"(${values})`);
    expect(JSON.stringify(explained)).not.toContain('Seq Scan');
  }
});
