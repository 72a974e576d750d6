import { hash } from 'node:crypto';
import { Client } from 'pg';
import { idLowerBound, newId } from '@gateway/money';
import { creditCents, feeCents } from './commands.ts';

const rowsPerInsert = 20_000;
const netCents = creditCents - feeCents;

/** One credit as its rows have it. */
interface Credit {
  readonly sequence: number;
  readonly atMs: number;
  readonly commandId: string;
  readonly request: string;
  readonly requestHash: string;
  readonly balances: string;
  readonly postings: string;
  readonly hash: string;
  readonly entryId: string;
  readonly accountId: string;
  readonly depositId: string;
  readonly number: number;
  readonly balanceAfter: number;
}

/**
 * A chain of credits, each with the hash that it has when the ledger decides it: what proves something is real. It is
 * written by SQL, since deciding ten million commands would take an hour.
 */
export class ProvenHistory {
  readonly #databaseUrl: string;
  readonly #accounts: readonly string[];
  readonly #startMs: number;
  readonly #linksPerMs: number;
  #links = 0;
  #previous = '0'.repeat(64);

  /**
   * @param links as many as there will be, from the beginning of this month until now
   * @param accounts whose credits they are, in turns
   */
  constructor(databaseUrl: string, links: number, accounts: readonly string[]) {
    this.#databaseUrl = databaseUrl;
    this.#accounts = accounts;
    const now = new Date();
    this.#startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
    this.#linksPerMs = links / (now.getTime() - 60_000 - this.#startMs);
  }

  /** Of an entry that is there. */
  entryOf(sequence: number): { readonly accountId: string; readonly entryId: string } {
    const { accountId, entryId } = this.#place(sequence);
    return { accountId, entryId };
  }

  /** Adds links while the ledger does not run. The next ones are hashed while PostgreSQL writes those before. */
  async write(count: number): Promise<void> {
    const client = new Client({ connectionString: this.#databaseUrl });
    const clients = [client, new Client({ connectionString: this.#databaseUrl })];
    try {
      for (const each of clients) {
        await each.connect();
        await each.query('set synchronous_commit = off');
      }
      await this.#insertAll(clients, count);
      const head = [this.#links, this.#previous, this.#atMs(this.#links)];
      await client.query(
        `update shard set head_sequence = $1, head_hash = decode($2, 'hex'), decided_at_ms = $3 where environment = 'test'`,
        head,
      );
      const entries = this.#accounts.map((_, place) => this.#entriesOf(place));
      await client.query(
        `insert into balance (environment, account_id, currency, available, entries, version)
         select 'test', id, 'BRL', entries * ${netCents}, entries, 1 from unnest($1::text[], $2::bigint[]) as v(id, entries)
         where entries > 0 on conflict (environment, account_id, currency) do update
           set available = excluded.available, entries = excluded.entries`,
        [this.#accounts, entries],
      );
      await client.query('vacuum analyze');
    } finally {
      await Promise.all(clients.map((each) => each.end()));
    }
  }

  async #insertAll(clients: readonly Client[], count: number): Promise<void> {
    let left = count;
    const writeWith = async (client: Client) => {
      while (left > 0) {
        const page = Array.from({ length: Math.min(rowsPerInsert, left) }, () => this.#next());
        left -= page.length;
        await insert(client, page);
      }
    };
    await Promise.all(clients.map(writeWith));
  }

  /** As many as the account of that place has so far. */
  #entriesOf(place: number): number {
    return Math.floor((this.#links - place - 1) / this.#accounts.length) + 1;
  }

  #atMs(sequence: number): number {
    return this.#startMs + Math.floor(sequence / this.#linksPerMs);
  }

  #place(sequence: number) {
    const atMs = this.#atMs(sequence);
    const { length } = this.#accounts;
    const accountId = this.#accounts[(sequence - 1) % length] ?? '';
    const tail = String(sequence).padStart(16, '0');
    const entryId = `${idLowerBound('ledgerEntry', atMs).slice(0, -16)}${tail}`;
    const depositId = `${newId('deposit').slice(0, -16)}${tail}`;
    return { atMs, accountId, entryId, depositId, number: Math.floor((sequence - 1) / length) + 1 };
  }

  #next(): Credit {
    const sequence = ++this.#links;
    const { atMs, accountId, entryId, depositId, number } = this.#place(sequence);
    const commandId = `credit-deposit:${depositId}`;
    const balanceAfter = number * netCents;
    const request = JSON.stringify({
      ...{ accountId, amount: creditCents, currency: 'BRL', depositId, environment: 'test', fee: feeCents },
      ...{ id: commandId, kind: 'credit-deposit', provider: 'sandbox', releaseAt: null },
    });
    const requestHash = hash('sha256', request, 'hex');
    const postings = [
      [accountId, 'available', 'BRL', netCents],
      ['fees', 'system', 'BRL', feeCents],
      ['provider:sandbox', 'system', 'BRL', -creditCents],
    ];
    const entry = [entryId, accountId, 'BRL', number, 'DEPOSIT_NET', netCents, 'deposit', depositId, balanceAfter];
    const head = [this.#previous, 'test', 0, sequence, atMs, commandId, requestHash, 'applied', null, []];
    this.#previous = hash('sha256', JSON.stringify([...head, [['BRL', balanceAfter, 0, 0]], postings, [entry]]), 'hex');
    return {
      ...{ sequence, atMs, commandId, request, requestHash, hash: this.#previous, postings: JSON.stringify(postings) },
      ...{ entryId, accountId, depositId, number, balanceAfter },
      balances: JSON.stringify([{ currency: 'BRL', available: balanceAfter, pending: 0, blocked: 0 }]),
    };
  }
}

const insertSql = `
  with credit as (
    select *, timestamptz 'epoch' + at_ms * interval '1 ms' as at
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bigint[])
      as v(sequence, at_ms, command_id, request, request_hash, balances, postings, hash, entry_id, account_id, deposit_id,
        number, balance_after)
  ), commands as (
    insert into command (environment, id, request_hash, shard, sequence, decided_at)
    select 'test', command_id, decode(request_hash, 'hex'), 0, sequence, at from credit
  ), results as (
    insert into result (environment, shard, sequence, decided_at, command_id, request, outcome, refusal, balances,
      amounts, postings, hash)
    select 'test', 0, sequence, at, command_id, request::json, 'applied', null, balances::json, '{}', postings::json,
      decode(hash, 'hex') from credit
  )
  insert into entry (environment, account_id, currency, id, shard, sequence, number, type, amount, ref_type, ref_id,
    balance_after)
  select 'test', account_id, 'BRL', entry_id, 0, sequence, number, 'DEPOSIT_NET', ${netCents}, 'deposit', deposit_id,
    balance_after
  from credit`;

const columns = [
  ...(['sequence', 'atMs', 'commandId', 'request', 'requestHash', 'balances', 'postings', 'hash'] as const),
  ...(['entryId', 'accountId', 'depositId', 'number', 'balanceAfter'] as const),
];

async function insert(client: Client, credits: readonly Credit[]): Promise<void> {
  await client.query(
    insertSql,
    columns.map((column) => credits.map((credit) => credit[column])),
  );
}
