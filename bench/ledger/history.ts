import { Client } from 'pg';
import { idLowerBound, newId } from '@gateway/money';

const rowsPerInsert = 50_000;
const creditCents = 100;

/**
 * Gives an account a past of many credits, by SQL, since posting ten million commands would take an hour: the rows a
 * command leaves in every table, with the same keys and indexes. What no figure reads (JSON bodies, hashes) is short,
 * so that this past proves nothing: the chain of commands that follow is not verified over it.
 */
export async function writeHistory(databaseUrl: string, accountId: string, entries: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    const month = new Date();
    const startMs = Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1);
    for (let done = 0; done < entries; done += rowsPerInsert) {
      const count = Math.min(rowsPerInsert, entries - done);
      await insertCredits(client, accountId, done, count, startMs + done / rowsPerInsert);
    }
    await client.query(
      `insert into balance (environment, account_id, currency, available, entries, version)
       values ('test', $1, 'BRL', $2, $3, 1)`,
      [accountId, entries * creditCents, entries],
    );
    await client.query(`update shard set head_sequence = $1 where environment = 'test'`, [entries]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function insertCredits(client: Client, accountId: string, done: number, count: number, atMs: number) {
  const entryPrefix = idLowerBound('ledgerEntry', Math.floor(atMs)).slice(0, -16);
  const depositPrefix = newId('deposit', Math.floor(atMs)).slice(0, -16);
  await client.query(
    `with credit as (
       select n, $1::text || lpad(to_hex(n), 16, '0') as entry_id, $2::text || lpad(to_hex(n), 16, '0') as deposit_id,
         to_timestamp($3::float8 / 1000)::timestamptz(3) as at
       from generate_series($4::bigint + 1, $4::bigint + $5::bigint) as n
     ), c as (
       insert into command select 'test', 'credit-deposit:' || deposit_id, sha256(deposit_id::bytea), 0, n, at from credit
     ), r as (
       insert into result select 'test', 0, n, at, 'credit-deposit:' || deposit_id, '{}', 'applied', null, '[]', '{}',
         '[]', sha256(deposit_id::bytea) from credit
     ), e as (
       insert into entry select 'test', $6, 'BRL', entry_id, 0, n, n, 'DEPOSIT_NET', $7, 'deposit', deposit_id, n * $7
       from credit
     )
     insert into reference (environment, id, kind, account_id, currency, amount)
     select 'test', deposit_id, 'deposit', $6, 'BRL', $7 from credit`,
    [entryPrefix, depositPrefix, Math.floor(atMs), done, count, accountId, creditCents],
  );
}
