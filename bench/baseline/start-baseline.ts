import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { accountHeader } from './routes.ts';
import { baselineSchema } from './schema.ts';

const databaseName = 'bench_baseline';
const environment = 'test';

export interface Baseline extends AsyncDisposable {
  readonly origin: string;
  /** Headers of a caller with that account. */
  callerOf(account: string): Record<string, string>;
  /** Gives each account a balance in cents. */
  fund(accounts: readonly string[], cents: number): Promise<void>;
  /** For looking at the outcome. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** @param databaseUrl an administrator's, of the server that the product under test uses too */
export async function startBaseline(databaseUrl: string): Promise<Baseline> {
  const url = await createDatabase(databaseUrl);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(baselineSchema);
  const child = fork(fileURLToPath(new URL('./baseline-process.ts', import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production', BASELINE_DATABASE_URL: url },
  });
  const died = once(child, 'exit').then(() => {
    throw new Error('the baseline ended');
  });
  const [origin] = (await Promise.race([once(child, 'message'), died])) as [string];
  died.catch(() => undefined);
  return {
    origin,
    callerOf: (account) => ({ [accountHeader]: account }),
    fund: async (accounts, cents) => {
      const insert = `insert into balance (environment, account_id, currency, available) select $1, unnest($2::text[]), 'BRL', $3`;
      await client.query(insert, [environment, accounts, cents]);
    },
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await Promise.allSettled([died, client.end()]);
    },
  };
}

async function createDatabase(databaseUrl: string): Promise<string> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`create database ${databaseName}`);
  await admin.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${databaseName}`;
  return url.href;
}
