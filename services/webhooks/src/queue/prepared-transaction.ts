import { outboxCommitted, type Database, type OutboxRow, type Tx } from '@gateway/persistence';
import { databaseUnavailable, isConnectionError } from '@gateway/runtime';

/** A transaction whose named statements are prepared once per connection. Every `Tx` can take its place. */
export interface PreparedTx extends Pick<Tx, 'afterCommit' | 'outboxWritten'> {
  /** @param name prepares the statement; its text must be a constant */
  sql<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
    name?: string,
  ): Promise<Row[]>;
}

/** What the driver writes without fail: behind a statement that it could not write, the commit is sent all the same. */
type PlainValue = Buffer | string | number | boolean | null;

/** A prepared transaction whose last statement may travel together with the commit. */
export interface ClosableTx extends PreparedTx {
  /**
   * The last statement. It is sent together with the commit, so that the locks of the transaction do not last for one
   * more round trip; where it fails, the commit undoes the transaction.
   */
  sqlAndCommit<Row extends object = Record<string, unknown>>(
    text: string,
    params: readonly PlainValue[],
    name: string,
  ): Promise<Row[]>;
}

export interface PreparedOptions {
  /**
   * False answers before the commit is on disk, for what a crash of the database may undo: a claim that is lost
   * leaves its deliveries due.
   */
  readonly durable: boolean;
}

/**
 * A plan is made once per connection and kept until the next `analyze`, so that it must also suit a table that was small
 * when it was made. Every statement here looks rows up one by one through an index, whose pages a busy queue has in
 * memory. Without these settings the plans made for 16 deliveries read the whole table: when it had 160,000, a claim took
 * 2.9 s and a record 86 ms; with them, 8 ms each.
 */
const settings = {
  plan_cache_mode: 'force_generic_plan',
  random_page_cost: '0',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};
const begin = ['begin', ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)].join('; ');

/**
 * Runs the work in one transaction of prepared statements. Claims and records run hundreds of times a second, and
 * planning their statements would cost more than running them; everything else uses `Database.transaction`.
 *
 * Statements that are made without waiting for each other are sent together and run in their order: the first one travels
 * with the beginning of the transaction.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the database cannot be reached
 */
export async function preparedTransaction<T>(
  database: Database,
  { durable }: PreparedOptions,
  work: (tx: ClosableTx) => Promise<T>,
): Promise<T> {
  try {
    const client = await database.pool.connect();
    let broken = true;
    try {
      const hooks: (() => void)[] = [];
      const outboxRows: OutboxRow[] = [];
      const run = new PipelinedRun(client, durable ? begin : `${begin}; set local synchronous_commit = off`);
      const result = await work({
        sql: (text, params, name) => run.sql(text, params, name),
        sqlAndCommit: (text, params, name) => run.sqlAndCommit(text, params, name),
        afterCommit: (hook) => void hooks.push(hook),
        outboxWritten: (row) => void outboxRows.push(row),
      });
      await run.commit();
      broken = false;
      outboxCommitted(database, outboxRows);
      for (const hook of hooks) hook();
      return result;
    } finally {
      if (broken) broken = await isRollbackRefused(client);
      setPipelined(client, false);
      client.release(broken);
    }
  } catch (error) {
    throw isConnectionError(error) ? databaseUnavailable(error) : error;
  }
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
}

interface Connection {
  query(statement: string | Statement): Promise<{ readonly rows: unknown[] }>;
}

/** One transaction on a connection whose statements do not wait for the answers of those before them. */
class PipelinedRun {
  readonly #client: Connection;
  /** Fails with the first statement, which it is sent with. */
  readonly #begun: Promise<unknown>;
  #committed = false;

  constructor(client: Connection, beginning: string) {
    setPipelined(client, true);
    this.#client = client;
    this.#begun = client.query(beginning);
    // Without a statement it is the commit that waits for it.
    this.#begun.catch(() => undefined);
  }

  async sql<Row extends object>(text: string, params: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const query = { text, values: [...params], ...(name === undefined ? {} : { name }) };
    const [{ rows }] = await Promise.all([this.#client.query(query), this.#begun]);
    return rows as Row[];
  }

  async sqlAndCommit<Row extends object>(text: string, params: readonly unknown[], name: string): Promise<Row[]> {
    this.#committed = true;
    const [rows] = await Promise.all([this.sql<Row>(text, params, name), this.#client.query('commit')]);
    return rows;
  }

  async commit(): Promise<void> {
    if (!this.#committed) await Promise.all([this.#begun, this.#client.query('commit')]);
  }
}

/** The driver looks at it with each query; one that is under way is not affected. */
function setPipelined(client: Connection, pipeline: boolean): void {
  Object.assign(client, { pipeline });
}

async function isRollbackRefused(client: { query(text: string): Promise<unknown> }): Promise<boolean> {
  return await client.query('rollback').then(
    () => false,
    () => true,
  );
}
