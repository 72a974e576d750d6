import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, eventually, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { openDatabase, type Database } from '#src/database.ts';
import type { SqlMigration } from '#src/migration.ts';

const coins = { name: '0001-coin', sql: 'create table coin (id text primary key, mint text)' };
const byMint = { name: 'coin_by_mint', unique: true, on: 'coin (mint)' };
const indexed: SqlMigration = { name: '0002-mints', indexes: [byMint] };

let coined: TestDatabase;
beforeAll(async () => {
  coined = await createTestDatabase('migrate', { migrations: [coins] });
});
afterAll(async () => coined[Symbol.asyncDispose]());

async function migratedBy(...more: SqlMigration[]): Promise<void> {
  const options = { url: coined.url, entities: [], logger: silentLogger, queryTimeoutMs: 300 };
  const database = await openDatabase({ ...options, migrations: [coins, ...more] });
  await database[Symbol.asyncDispose]();
}

function ranOf(database: Database, name: string): Promise<object[]> {
  return database.query('select 1 from migration where name = $1', [name]);
}

test('a migration may take longer than any other statement, and so may the process that waits for it', async () => {
  const { database } = coined;
  const slow = { name: '0002-slow', sql: 'alter table coin add column weight integer; select pg_sleep(1)' };
  await database.query(`do $$ begin
    execute format('alter database %I set statement_timeout = 300', current_database()); end $$`);
  await Promise.all([migratedBy(slow), migratedBy(slow)]);
  await database.query(`do $$ begin
    execute format('alter database %I reset statement_timeout', current_database()); end $$`);
  expect(await ranOf(database, slow.name)).toHaveLength(1);
});

test('a migration that waits for a lock lets those through who came after it, and gets its turn', async () => {
  const { database } = coined;
  const locking = { name: '0003-locking', sql: 'alter table coin add column worth bigint' };
  let migrated: Promise<void> | undefined;
  await database.transaction(async (tx) => {
    await tx.sql('select from coin');
    migrated = migratedBy(locking);
    await eventually(async () => {
      expect(
        await database.query(`select from pg_locks where mode = 'AccessExclusiveLock' and not granted`),
      ).toHaveLength(1);
    });
    expect(await database.query('select from coin')).toEqual([]);
  });
  await migrated;
  expect(await ranOf(database, locking.name)).toHaveLength(1);
});

test('an index is built while a transaction that has written to its table is still open', async () => {
  const { database } = coined;
  const written = { name: '0004-written', indexes: [{ name: 'coin_by_id_and_mint', on: 'coin (id, mint)' }] };
  let migrated: Promise<void> | undefined;
  await database.transaction(async (tx) => {
    await tx.sql(`insert into coin values ('open', 'Lisbon')`);
    migrated = migratedBy(written);
    await eventually(async () => {
      expect(await database.query(`select from pg_stat_progress_create_index`)).toHaveLength(1);
    });
    await database.query(`insert into coin values ('beside', 'Porto')`);
  });
  await migrated;
  expect(await ranOf(database, written.name)).toHaveLength(1);
});

test('an index whose building was interrupted is built anew by the next start', async () => {
  const { database } = coined;
  await database.query(`insert into coin values ('a', 'Potosí'), ('b', 'Potosí')`);
  await expect(migratedBy(indexed)).rejects.toThrow('could not create unique index');
  const validity = `select indisvalid as valid from pg_index where indexrelid = 'coin_by_mint'::regclass`;
  expect(await database.query(validity)).toEqual([{ valid: false }]);
  expect(await ranOf(database, indexed.name)).toEqual([]);

  await database.query(`delete from coin where id = 'b'`);
  await migratedBy(indexed);
  expect(await database.query(validity)).toEqual([{ valid: true }]);
  expect(await ranOf(database, indexed.name)).toHaveLength(1);
});

test('a migration that ended between its index and its statements goes on where it ended', async () => {
  const { database } = coined;
  const index = { name: 'coin_by_mint_0005', unique: true, on: 'coin (mint, id)' };
  await expect(migratedBy({ name: '0005-swap', indexes: [index], sql: 'drop table nothing' })).rejects.toThrow(
    'nothing',
  );
  await migratedBy({
    name: '0005-swap',
    indexes: [index],
    sql: 'drop index coin_by_mint; alter index coin_by_mint_0005 rename to coin_by_mint',
  });
  const [found] = await database.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where indexname like 'coin_by_mint%'`,
  );
  expect(found?.definition).toContain('(mint, id)');
});
