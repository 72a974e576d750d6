import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provisionDatabases } from '#src/infrastructure/provision-databases.ts';
import { StartFailure } from '#src/progress.ts';

const adminUrl = process.env.TEST_DATABASE_URL ?? '';
const suffix = randomBytes(4).toString('hex');
const own = { name: `gateway_own_${suffix}`, password: 'own-password' };
const other = { name: `gateway_other_${suffix}`, password: 'other-password' };
let urls: Record<string, string>;

beforeAll(async () => {
  urls = await provisionDatabases(adminUrl, [own, other]);
});

afterAll(async () => {
  for (const { name } of [own, other]) {
    await query(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    await query(adminUrl, `DROP ROLE ${name}`);
  }
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function as(role: { name: string; password: string }, database: string): string {
  const url = new URL(adminUrl);
  Object.assign(url, { username: role.name, password: role.password, pathname: `/${database}` });
  return url.href;
}

test('a service owns its database', async () => {
  const url = urls[own.name] ?? '';
  await query(url, 'CREATE TABLE owned (id bigint)');
  expect(await query(url, 'SELECT current_user, current_database()')).toEqual([
    { current_user: own.name, current_database: own.name },
  ]);
});

test("no service can connect to another service's database", async () => {
  await expect(query(as(own, other.name), 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
  await expect(query(as(other, own.name), 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
});

test.each(['postgres', 'template1'])("no service can connect to the cluster's own database %s", async (name) => {
  await expect(query(as(own, name), 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
});

test('a service is no superuser, and has none of the rights one has', async () => {
  const rights = 'rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls';
  const [role] = await query(urls[own.name] ?? '', `SELECT ${rights} FROM pg_roles WHERE rolname = current_user`);
  expect(Object.values(role as object)).toEqual([false, false, false, false, false]);
  const member = await query(
    urls[own.name] ?? '',
    `SELECT rolname FROM pg_roles WHERE rolname <> current_user AND pg_has_role(oid, 'MEMBER')`,
  );
  // What every role is in a database of its own.
  expect(member).toEqual([{ rolname: 'pg_database_owner' }]);
});

test('a service can neither make roles nor databases', async () => {
  const url = urls[own.name] ?? '';
  await expect(query(url, `CREATE ROLE more_${suffix}`)).rejects.toMatchObject({ code: '42501' });
  await expect(query(url, `CREATE DATABASE more_${suffix}`)).rejects.toMatchObject({ code: '42501' });
});

test('provisioning again keeps the data and brings the new password', async () => {
  await query(urls[own.name] ?? '', 'CREATE TABLE kept AS SELECT 7 AS answer');
  const again = await provisionDatabases(adminUrl, [{ ...own, password: 'changed' }, other]);
  expect(await query(again[own.name] ?? '', 'SELECT answer FROM kept')).toEqual([{ answer: 7 }]);
  await expect(query(as(own, own.name), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
});

test('a server that cannot be reached is named without its password', async () => {
  const unreachable = provisionDatabases('postgresql://admin:hidden@127.0.0.1:1/postgres', [own]);
  await expect(unreachable).rejects.toThrow(StartFailure);
  await expect(unreachable).rejects.toThrow(/127\.0\.0\.1:1/);
  await expect(unreachable).rejects.not.toThrow(/hidden/);
});

test.for(['localhost', 'postgresql:///postgres', ''])('an address without a host is refused: "%s"', async (url) => {
  await expect(provisionDatabases(url, [own])).rejects.toThrow(/^DATABASE_URL must look like/);
});
