import { databaseUnavailable, isConnectionError, type Database, type Tx } from '@gateway/service-kit';

/** A transaction whose statements are prepared once per connection. Their texts are constants of this service. */
export type PreparedTx = Pick<Tx, 'sql' | 'afterCommit'>;

export interface PreparedOptions {
  /**
   * False answers before the commit is on disk. For what may be forgotten in a crash of the database: a lease that
   * never was is taken again.
   */
  readonly durable: boolean;
}

/** Plans are made once and must not be those of an empty table: every statement here has an index of its own. */
const begin = 'begin; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan';

const names = new Map<string, string>();

/**
 * Runs the work in one transaction of prepared statements. Claiming and recording run hundreds of times a second, and
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
      await client.query(durable ? begin : `${begin}; set local synchronous_commit = off`);
      const result = await work({
        sql: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
          (await client.query<Row>({ name: nameOf(text), text, values: [...params] })).rows,
        afterCommit: (hook) => void hooks.push(hook),
      });
      await client.query('commit');
      broken = false;
      for (const hook of hooks) hook();
      return result;
    } finally {
      if (broken)
        broken = await client.query('rollback').then(
          () => false,
          () => true,
        );
      client.release(broken);
    }
  } catch (error) {
    throw isConnectionError(error) ? databaseUnavailable(error) : error;
  }
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `webhooks_${names.size}`;
  names.set(text, name);
  return name;
}
