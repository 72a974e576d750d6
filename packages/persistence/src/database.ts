import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import type { AnyEntity, EntityClass, EntitySchema } from '@mikro-orm/core';
import type { Pool, QueryConfig } from 'pg';
import {
  databaseUnavailable,
  isConnectionError,
  untilReachable,
  type Logger,
  gauge,
  type InternalTls,
} from '@gateway/runtime';
import { migrate } from '#src/migrate.ts';
import { PooledClient } from '#src/pooled-client.ts';
import type { SqlMigration } from '#src/migration.ts';
import type { Tx } from '#src/tx.ts';
import { outboxCommitted } from '#src/outbox-row.ts';
import type { OutboxRow } from '#src/outbox-wake.ts';
import { databaseTls, socketOf } from '#src/server-address.ts';

export type DatabaseEntity = EntityClass<AnyEntity> | EntitySchema;

export interface DatabaseOptions {
  readonly url: string;
  /** Whom to believe that it is the database; undefined: no TLS is asked for. */
  readonly tls?: Pick<InternalTls, 'ca'> | undefined;
  readonly entities: readonly DatabaseEntity[];
  /** In order, the kit's own first: `[...kitMigrations, ...migrations]`. */
  readonly migrations: readonly SqlMigration[];
  readonly logger: Logger;
  /** Connections of this process at most. */
  readonly poolMax?: number;
  /** Settings of every session of the pool, by their PostgreSQL names; values without spaces. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  /** After this a statement fails whose answer does not come; 20 seconds by default. Migrations have no such limit. */
  readonly queryTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * `sessionSettings` of a service whose statements find their rows one by one through an index. Prepared ones keep the plan
 * they were given while their tables were young, and must not begin with a whole table because that was small then.
 */
export const indexedSessions = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' } as const;

const poolMaxDefault = 10;
const connectTimeoutMs = 3_000;
/**
 * Longer than what comes round at rest is apart: with the driver's 10 seconds an idle service made connections anew for
 * its metrics every quarter of a minute, which took more of a processor than all its statements. Rounds of a minute made
 * one or two a minute with 60 seconds.
 */
const idleConnectionMs = 180_000;
/** A server that keeps the connection and no longer answers is noticed by this side alone. */
const queryTimeoutDefaultMs = 20_000;

const int8 = 20;
const timestamptz = 1184;

/** A service's own database: the only maker of transactions. */
export class Database implements AsyncDisposable {
  readonly #orm: MikroORM;
  readonly #gauges: readonly Disposable[];
  readonly #writeListeners: Set<() => void>;
  /** For statements that need a session or a cursor of their own. */
  readonly pool: Pool;

  /** @param writeListeners whom the pool's connections call */
  constructor(orm: MikroORM, pool: Pool, writeListeners: Set<() => void>) {
    this.#orm = orm;
    this.#writeListeners = writeListeners;
    this.pool = pool;
    this.#gauges = gaugesOf(pool);
  }

  /** Calls the listener whenever this process writes here, before the statement is sent and again before its commit. */
  onWrite(listener: () => void): Disposable {
    this.#writeListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#writeListeners.delete(listener) };
  }

  /**
   * Runs the work in one transaction: committed when it resolves, rolled back when it throws.
   * @throws DomainError SERVICE_UNAVAILABLE when the database cannot be reached
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const hooks: (() => void)[] = [];
    const written: OutboxRow[] = [];
    const result = await translated(() =>
      this.#orm.em.fork().transactional((em) => work(transactionOf(em, hooks, written))),
    );
    outboxCommitted(this, written);
    for (const hook of hooks) hook();
    return result;
  }

  /** One statement on its own, with `$1` parameters. A `name` prepares it once per connection. */
  async query<Row extends object = Record<string, unknown>>(
    text: string,
    params: readonly unknown[] = [],
    name?: string,
  ): Promise<Row[]> {
    const values = [...params];
    const query: QueryConfig = { text, values, ...(name === undefined ? {} : { name }) };
    const result = await translated(() => this.pool.query<Row>(query));
    // An idle connection keeps its last statement, and need not keep the parameters of a whole batch with it.
    values.length = 0;
    return result.rows;
  }

  /** A unit of work for reading entities; writing through it is a mistake, since nothing flushes it. */
  reader(): EntityManager {
    return this.#orm.em.fork({ clear: true });
  }

  async ping(): Promise<void> {
    await this.query('select 1');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#gauges) each[Symbol.dispose]();
    await closed(this.#orm, this.pool);
  }
}

/** The unit of work closes the pool only if it has used it. */
async function closed(orm: MikroORM, pool: Pool): Promise<void> {
  await orm.close(true);
  if (!pool.ending) await pool.end();
}

function gaugesOf(pool: Pool): Disposable[] {
  const connections = (state: string, count: () => number) =>
    gauge('gateway_database_connections', 'Connections by state; waiting: asked for and not there', count, { state });
  return [
    connections('busy', () => pool.totalCount - pool.idleCount),
    connections('idle', () => pool.idleCount),
    connections('waiting', () => pool.waitingCount),
  ];
}

function transactionOf(em: EntityManager, hooks: (() => void)[], written: OutboxRow[]): Tx {
  return {
    em,
    sql: async <Row extends object>(text: string, params: readonly unknown[] = []) => {
      const transaction = em.getTransactionContext<Transaction<unknown>>();
      if (!transaction) throw new Error('the transaction has ended');
      const result = await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...params]));
      return result.rows;
    },
    afterCommit: (hook) => void hooks.push(hook),
    outboxWritten: (row) => void written.push(row),
  };
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isConnectionError(error) ? databaseUnavailable(error) : error;
  }
}

/** Waits until PostgreSQL answers, brings the schema up to date (one process at a time), and opens the pool. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { orm, pool, writeListeners } = await createOrm(options);
  try {
    await untilReachable({
      what: 'PostgreSQL',
      logger: options.logger,
      ...(options.signal ? { signal: options.signal } : {}),
      connect: async () => void (await pool.query('select 1')),
    });
    const { url: connectionString, tls, ...rest } = options;
    const connection = { connectionString, connectionTimeoutMillis: connectTimeoutMs, ...databaseTls(tls) };
    await migrate({ ...rest, connection });
  } catch (error) {
    await closed(orm, pool);
    throw error;
  }
  return new Database(orm, pool, writeListeners);
}

interface Opened {
  readonly orm: MikroORM;
  readonly pool: Pool;
  readonly writeListeners: Set<() => void>;
}

async function createOrm(options: DatabaseOptions): Promise<Opened> {
  let created: Pool | undefined;
  const writeListeners = new Set<() => void>();
  const onWrite = () => writeListeners.forEach((listen) => listen());
  const orm = new MikroORM({
    clientUrl: options.url,
    entities: [...options.entities],
    discovery: { warnWhenNoEntities: false, checkDuplicateFieldNames: true },
    // One driver pool serves both the unit of work and plain SQL.
    driverOptions: {
      Client: PooledClient,
      max: options.poolMax ?? poolMaxDefault,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleConnectionMs,
      query_timeout: options.queryTimeoutMs ?? queryTimeoutDefaultMs,
      keepAlive: true,
      ...socketOf(options.url),
      ...databaseTls(options.tls),
      ...(options.sessionSettings ? { options: startupOptions(options.sessionSettings) } : {}),
      onPoolCreated: (pool: Pool) => {
        created = pool;
        pool.on('connect', (client) => {
          if (client instanceof PooledClient) client.onWrite = onWrite;
        });
        readNumbersAndDates(pool);
      },
    },
    logger: (message) => options.logger.debug(message),
  });
  await orm.em.getDriver().getConnection().connect({ skipOnConnect: true });
  if (!created) throw new Error('the driver made no connection pool');
  return { orm, pool: created, writeListeners };
}

/** They come with the connection, so that no statement can run before them. */
function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Amounts are safe integers (design.md 4), so int8 is read as a number; an unsafe one is corrupt and must not pass. */
function readNumbersAndDates(pool: Pool): void {
  const { types } = pool.options;
  if (!types) throw new Error('the driver set no type parsers');
  pool.options.types = {
    getTypeParser: ((oid: number, format?: 'text') => {
      if (oid === int8) return parseSafeInteger;
      if (oid === timestamptz) return (text: string) => new Date(text);
      return (types.getTypeParser as (id: number, format?: 'text') => (text: string) => unknown)(oid, format);
    }) as typeof types.getTypeParser,
  };
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
}
