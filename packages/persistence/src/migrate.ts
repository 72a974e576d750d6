import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError, type ClientConfig } from 'pg';
import { backoffMs, type Backoff, type Logger } from '@gateway/runtime';
import type { ConcurrentIndex, SqlMigration } from '#src/migration.ts';

export interface MigrateOptions {
  readonly connection: ClientConfig;
  readonly migrations: readonly SqlMigration[];
  readonly logger: Logger;
  readonly signal?: AbortSignal;
}

/** Any value, the same for all services: each has its own database. */
const migrationLock = 7_470_001;
/** How long a migration waits for a lock: everyone who uses the table queues behind it. */
const lockTimeoutMs = 2_000;
/** Between two attempts, in which those who queued have their turn. */
const lockBackoff: Backoff = { firstMs: 500, maxMs: 10_000, jitterShare: 0.25 };
const otherProcessPollMs = 250;
/** A server that is gone without a word is noticed by these alone, since no statement has a deadline. */
const keepAliveInitialDelayMs = 10_000;

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Brings the schema up to date; one process at a time, the others wait. It has a connection of its own, on which a
 * statement may take as long as its table is large. When this resolves or throws, the connection has ended.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const client = new Client({
    ...options.connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveInitialDelayMs,
  });
  // The statement under way fails with the same error.
  client.on('error', (error) => options.logger.warn({ err: error }, 'the connection of the migrations was lost'));
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await lockMigrations(client, options);
    for (const migration of await pendingOf(client, options.migrations)) await apply(client, migration, options);
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}

/**
 * Asks again and again instead of waiting in the statement: building an index concurrently waits for every statement
 * that began before it, so it and a process that waits for the lock would wait for each other.
 */
async function lockMigrations(client: Client, { logger, signal }: MigrateOptions): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      migrationLock,
    ]);
    if (rows[0]?.locked) return;
    if (attempt === 0) logger.info('another process migrates the database, waiting for it');
    await sleep(otherProcessPollMs, undefined, signal ? { signal } : {});
  }
}

async function pendingOf(client: Client, migrations: readonly SqlMigration[]): Promise<SqlMigration[]> {
  await client.query(`create table if not exists migration (
    id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6))`);
  const { rows } = await client.query<{ name: string }>('select name from migration');
  const executed = new Set(rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !executed.has(name));
}

async function apply(client: Client, migration: SqlMigration, options: MigrateOptions): Promise<void> {
  const { name, indexes = [], sql = '' } = migration;
  const startedAt = performance.now();
  await untilLocked(options, name, async () => {
    for (const index of indexes) await buildIndex(client, index, options.logger);
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await client.query('begin');
    try {
      await client.query(sql);
      await client.query('insert into migration (name) values ($1)', [name]);
      await client.query('commit');
    } catch (error) {
      // Fails only with the connection, which the error names already.
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  });
  options.logger.info({ migration: name, durationMs: Math.round(performance.now() - startedAt) }, 'migrated');
}

/**
 * No writer queues behind a concurrent build that waits, so it may wait for any time. An index that an interrupted build
 * left behind costs every write and serves no read; it is dropped and built anew.
 */
async function buildIndex(
  client: Client,
  { name, unique = false, on }: ConcurrentIndex,
  logger: Logger,
): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.valid) return;
  await client.query('set lock_timeout = 0');
  if (rows.length > 0) {
    logger.warn({ index: name }, 'the building of an index was interrupted, building it again');
    await client.query(`drop index concurrently ${name}`);
  }
  await client.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
}

async function untilLocked({ logger, signal }: MigrateOptions, name: string, work: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError && (error.code === lockNotAvailable || error.code === deadlockDetected)))
        throw error;
      const waitMs = backoffMs(attempt, lockBackoff);
      logger.warn({ migration: name, attempt, waitMs }, 'a migration could not have its locks, trying again');
      await sleep(waitMs, undefined, signal ? { signal } : {});
    }
  }
}
