import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { accountHeader, environmentHeader, type Caller } from './routes.ts';
import { baselineSchema } from './schema.ts';

const databaseName = 'bench_baseline';

export interface Baseline extends AsyncDisposable {
  readonly origin: string;
  /** Headers of a caller with that account; in test mode unless another one is named. */
  callerOf(account: string, environment?: Caller['environment']): Record<string, string>;
  /** Gives each account a balance in cents. */
  fund(accounts: readonly string[], cents: number, environment?: Caller['environment']): Promise<void>;
  /** For looking at the outcome. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

interface Used {
  /** An administrator's, of the server that the product under test uses too. */
  readonly databaseUrl: string;
  /** The provider's simulator that the product calls too. */
  readonly simulatorUrl: string;
}

export async function startBaseline({ databaseUrl, simulatorUrl }: Used): Promise<Baseline> {
  const url = await createDatabase(databaseUrl);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(baselineSchema);
  const child = fork(fileURLToPath(new URL('./baseline-process.ts', import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production', BASELINE_DATABASE_URL: url, BASELINE_SIMULATOR_URL: simulatorUrl },
  });
  const died = once(child, 'exit').then(() => {
    throw new Error('the baseline ended');
  });
  const [origin] = (await Promise.race([once(child, 'message'), died])) as [string];
  died.catch(() => undefined);
  return {
    origin,
    callerOf: (account, environment = 'test') => ({ [accountHeader]: account, [environmentHeader]: environment }),
    fund: async (accounts, cents, environment = 'test') => {
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
