import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase, type Database, type DatabaseEntity, type SqlMigration } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

export interface TestDatabaseSchema {
  readonly entities?: readonly DatabaseEntity[];
  readonly migrations: readonly SqlMigration[];
}

/** Serialises the making of templates over all test workers. */
const templateLock = 7_470_002;

/**
 * A database of its own for one test file: a copy of a template that is migrated once per schema. Real PostgreSQL,
 * given by the test run in TEST_DATABASE_URL.
 */
export async function createTestDatabase(service: string, schema: TestDatabaseSchema): Promise<TestDatabase> {
  const name = `test_${service.replaceAll('-', '_')}_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [templateLock]);
    const template = await ensureTemplate(admin, service, schema);
    await admin.query(`create database ${name} template ${template}`);
  });
  const url = databaseUrl(name);
  const database = await open(url, schema);
  return {
    url,
    database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`)));
    },
  };
}

/** Connection string of another database on the test server. */
function databaseUrl(name: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function ensureTemplate(admin: Client, service: string, schema: TestDatabaseSchema): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(schema.migrations)).digest('hex').slice(0, 16);
  const template = `template_${service.replaceAll('-', '_')}_${digest}`;
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount) return template;
  const draft = `draft_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${draft}`);
  await (await open(databaseUrl(draft), schema))[Symbol.asyncDispose]();
  await admin.query(`alter database ${draft} rename to ${template}`);
  return template;
}

async function open(url: string, { entities = [], migrations }: TestDatabaseSchema): Promise<Database> {
  return await openDatabase({ url, entities, migrations, logger: createLogger('test', 'silent'), poolMax: 8 });
}

async function asAdmin(work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function adminUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`');
  return url;
}
