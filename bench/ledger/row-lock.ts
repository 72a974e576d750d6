import { Pool, type PoolClient } from 'pg';
import { monotonicMs, type LoadResult } from '../load/load.ts';
import { summariseLatencies, creditCents, creditCommand, feeCents } from './commands.ts';

const connections = 32;

const schema = `
  create table command (id text primary key, request jsonb not null, decided_at timestamptz not null default now());
  create table balance (account_id text primary key, available bigint not null check (available >= 0),
    entries bigint not null) with (fillfactor = 50);
  create table own_balance (account text primary key, amount bigint not null) with (fillfactor = 50);
  create table entry (account_id text not null, number bigint not null, command_id text not null, type text not null,
    amount bigint not null, balance_after bigint not null, created_at timestamptz not null default now(),
    primary key (account_id, number));
  create table posting (command_id text not null, account text not null, amount bigint not null,
    primary key (command_id, account));`;

/** Balances a transaction locks: the merchant's alone, or those of all three accounts its postings change. */
export type Locks = 'merchant' | 'all accounts';

const ownAccounts = ['fees', 'provider:sandbox'];

/**
 * The ledger most services would write: one transaction per command that locks balance rows. It keeps what ours keeps
 * of a command (unique id, request, entry with running balance, balanced postings), without the chain and the records
 * for later guards. With `all accounts` it keeps the balances of our own accounts too, as ours does; then those two are
 * hot for every merchant.
 */
export class RowLockLedger implements AsyncDisposable {
  readonly #pool: Pool;

  private constructor(pool: Pool) {
    this.#pool = pool;
  }

  static async start(databaseUrl: string): Promise<RowLockLedger> {
    const pool = new Pool({ connectionString: databaseUrl, max: connections });
    await pool.query(schema);
    return new RowLockLedger(pool);
  }

  /** Each connection carries out one command after the other. */
  async load(locks: Locks, nextAccount: () => string, durationMs: number): Promise<LoadResult> {
    const startedAtMs = monotonicMs();
    const latenciesMs: number[] = [];
    const worker = async () => {
      const client = await this.#pool.connect();
      try {
        while (monotonicMs() - startedAtMs < durationMs) {
          const fromMs = monotonicMs();
          await credit(client, nextAccount(), locks);
          latenciesMs.push(monotonicMs() - fromMs);
        }
      } finally {
        client.release();
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return summariseLatencies(latenciesMs, monotonicMs() - startedAtMs);
  }

  /** Commands, and cents on all balances and in all entries: the same twice, or its speed would mean nothing. */
  async totals(): Promise<{ commands: number; balances: number; entries: number }> {
    const { rows } = await this.#pool.query<{ commands: string; balances: string; entries: string }>(
      `select (select count(*) from command) as commands, (select coalesce(sum(available), 0) from balance) as balances,
         (select coalesce(sum(amount), 0) from entry) as entries`,
    );
    const [row] = rows;
    return { commands: Number(row?.commands), balances: Number(row?.balances), entries: Number(row?.entries) };
  }

  async open(accountIds: readonly string[]): Promise<void> {
    await this.#pool.query('insert into own_balance select unnest($1::text[]), 0 on conflict do nothing', [
      ownAccounts,
    ]);
    await this.#pool.query('insert into balance select unnest($1::text[]), 0, 0 on conflict do nothing', [accountIds]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

async function credit(client: PoolClient, accountId: string, locks: Locks): Promise<void> {
  const command = creditCommand(accountId);
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  await client.query('begin');
  await run('command', 'insert into command (id, request) values ($1, $2)', [command.id, JSON.stringify(command)]);
  const { rows } = await run('lock', 'select available, entries from balance where account_id = $1 for update', [
    accountId,
  ]);
  const before = rows[0] as { available: string; entries: string };
  const after = Number(before.available) + creditCents - feeCents;
  const number = Number(before.entries) + 1;
  await run(
    'entry',
    `insert into entry (account_id, number, command_id, type, amount, balance_after) values ($1, $2, $3, $4, $5, $6)`,
    [accountId, number, command.id, 'DEPOSIT_NET', creditCents - feeCents, after],
  );
  await run('postings', `insert into posting values ($1, $2, $3), ($1, 'fees', $4), ($1, 'provider:sandbox', $5)`, [
    command.id,
    accountId,
    creditCents - feeCents,
    feeCents,
    -creditCents,
  ]);
  await run('balance', 'update balance set available = $2, entries = $3 where account_id = $1', [
    accountId,
    after,
    number,
  ]);
  if (locks === 'all accounts') {
    // In one order for all, or two transactions would wait for each other.
    for (const [index, account] of ownAccounts.entries()) {
      const change = index === 0 ? feeCents : -creditCents;
      await run('own', 'update own_balance set amount = amount + $2 where account = $1', [account, change]);
    }
  }
  await client.query('commit');
}
