import { Client } from 'pg';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { newId, idLowerBound } from '@gateway/money';
import type { LoadResult } from '../load/load.ts';
import { percentile } from '../load/percentile.ts';

export const creditCents = 10_000;
export const feeCents = 100;

/** The accounts commands are for: one is in every command, or each has its share. */
export function accounts(count: number): string[] {
  return Array.from({ length: count }, () => newId('account'));
}

/** One deposit credited: three postings, one public entry, one record for later refunds. */
export function creditCommand(accountId: string): LedgerCommand {
  const depositId = newId('deposit');
  return {
    kind: 'credit-deposit',
    id: `credit-deposit:${depositId}`,
    environment: 'test',
    accountId,
    currency: 'BRL',
    depositId,
    provider: 'sandbox',
    amount: creditCents,
    fee: feeCents,
    releaseAt: null,
  };
}

/** Takes turns through the accounts in an order that keeps neighbours apart, as real traffic does. */
export function turns(accountIds: readonly string[]): () => string {
  const stride = 7_919;
  let next = 0;
  return () => accountIds[(next++ * stride) % accountIds.length] ?? '';
}

export function summariseLatencies(
  latenciesMs: readonly number[],
  elapsedMs: number,
  failures: Readonly<Record<string, number>> = {},
): LoadResult {
  const ascending = Float64Array.from(latenciesMs).sort();
  return {
    answered: latenciesMs.length,
    failures,
    elapsedMs,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
    units: [],
  };
}

const rowsPerInsert = 50_000;
const pastCreditCents = 100;

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
      [accountId, entries * pastCreditCents, entries],
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
    [entryPrefix, depositPrefix, Math.floor(atMs), done, count, accountId, pastCreditCents],
  );
}
