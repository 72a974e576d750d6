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
 * @throws DomainError SERVICE_UNAVAILABLE when the database cannot be reached
 */
export async function preparedTransaction<T>(
  database: Database,
  { durable }: PreparedOptions,
  work: (tx: PreparedTx) => Promise<T>,
): Promise<T> {
  try {
    const client = await database.pool.connect();
    let broken = true;
    try {
      const hooks: (() => void)[] = [];
      const outboxRows: OutboxRow[] = [];
      await client.query(durable ? begin : `${begin}; set local synchronous_commit = off`);
      const result = await work({
        sql: async <Row extends object>(text: string, params: readonly unknown[] = [], name?: string) =>
          (await client.query<Row>({ text, values: [...params], ...(name === undefined ? {} : { name }) })).rows,
        afterCommit: (hook) => void hooks.push(hook),
        outboxWritten: (row) => void outboxRows.push(row),
      });
      await client.query('commit');
      broken = false;
      outboxCommitted(database, outboxRows);
      for (const hook of hooks) hook();
      return result;
    } finally {
      if (broken) broken = await isRollbackRefused(client);
      client.release(broken);
    }
  } catch (error) {
    throw isConnectionError(error) ? databaseUnavailable(error) : error;
  }
}

async function isRollbackRefused(client: { query(text: string): Promise<unknown> }): Promise<boolean> {
  return await client.query('rollback').then(
    () => false,
    () => true,
  );
}
