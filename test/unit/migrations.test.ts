import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SqlMigration } from '@gateway/persistence';

const repository = join(import.meta.dirname, '../..');

/**
 * Their indexes use columns that the same migration adds, so they cannot be built before it; most are of tables that stay
 * small, and none may be changed any more.
 */
const builtBesideTheirColumns = new Set([
  'deposits 0013-returns-to-the-end',
  'deposits 0015-disputes-to-the-end',
  'deposits 0016-feeds',
  'deposits 0017-failed-returns',
  'deposits 0020-planned-rechecks',
  'payouts 0002-operator-decisions',
  'payouts 0004-released-and-lean',
  'payouts 0007-certainty',
  'payouts 0009-changes-in-place',
  'ledger 0010-treasury',
  'api-gateway 0002-ip-allowlist',
  'api-gateway 0005-adjustment-approved-at',
  'api-gateway 0006-approvals',
  'api-gateway 0012-account-freezes',
  'api-gateway 0013-withdrawn-proposals',
  'psp-simulator 0002-bank',
]);

function blocksWriters({ sql = '' }: SqlMigration): boolean {
  const made = new Set([...sql.matchAll(/create table (\w+)/g)].map(([, table]) => table));
  const indexed = [...sql.matchAll(/create (?:unique )?index \w+\s+on (\w+)/g)].map(([, table]) => table);
  const constraint = /add constraint \w+\s+(?:unique|primary key)\s*\(/.test(sql);
  return constraint || indexed.some((table) => !made.has(table));
}

async function migrationsOfServices(): Promise<Map<string, SqlMigration>> {
  const found = new Map<string, SqlMigration>();
  for (const file of globSync('services/*/{src/,}migrations/0*.ts', { cwd: repository })) {
    const exported: unknown[] = Object.values((await import(join(repository, file))) as object);
    for (const migration of exported.flat() as SqlMigration[])
      found.set(`${file.split('/')[1]} ${migration.name}`, migration);
  }
  return found;
}

const migrations = await migrationsOfServices();

test('an index of a table that may have rows already is built without blocking those who write them', () => {
  expect(migrations.size).toBeGreaterThan(50);
  const blocking = [...migrations].filter(([, migration]) => blocksWriters(migration)).map(([name]) => name);
  expect(blocking.filter((name) => !builtBesideTheirColumns.has(name))).toEqual([]);
});

test('a plain index and a new key of an existing table are seen as blocking, those of a new table are not', () => {
  expect(blocksWriters({ name: 'x', sql: 'create unique index a\n on b (c)' })).toBe(true);
  expect(blocksWriters({ name: 'x', sql: 'alter table b add constraint a unique (c)' })).toBe(true);
  expect(blocksWriters({ name: 'x', sql: 'create table b (c text); create index a on b (c)' })).toBe(false);
});
