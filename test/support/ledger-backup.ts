import { Client } from 'pg';
import type { Stack } from '@gateway/local-stack';

/** As they were made: a table that refers to another one comes after it. */
const tablesSql = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  order by c.oid`;

/** The ledger's database as it is; its service has to be stopped. */
export async function backUpLedger(stack: Stack): Promise<void> {
  await withTables(stack, async (client, tables) => {
    await client.query('create schema backup');
    for (const table of tables) await client.query(`create table backup.${table} as table public.${table}`);
  });
}

/** Puts the ledger's database back to the backup, and no other; its service has to be stopped. */
export async function restoreLedger(stack: Stack): Promise<void> {
  await withTables(stack, async (client, tables) => {
    // A backup is restored below the level at which some tables refuse to lose rows.
    for (const table of tables) await client.query(`alter table public.${table} disable trigger user`);
    await client.query(`truncate ${tables.map((table) => `public.${table}`).join(', ')}`);
    for (const table of tables) await client.query(`insert into public.${table} table backup.${table}`);
    for (const table of tables) await client.query(`alter table public.${table} enable trigger user`);
  });
}

async function withTables(stack: Stack, work: (client: Client, tables: string[]) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: stack.databaseUrls['gateway_ledger'] });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(tablesSql);
    await client.query('begin');
    await work(
      client,
      rows.map(({ name }) => name),
    );
    await client.query('commit');
  } finally {
    await client.end();
  }
}
