import { Client } from 'pg';
import { bindInOneBuffer, databaseTls } from '@gateway/persistence';
import type { InternalTls } from '@gateway/runtime';
import { numberTypes } from '#src/postgres/session-settings.ts';

const connectTimeoutMs = 3_000;
/** A batch takes milliseconds; one that takes this long is stuck, and another writer should take over. */
const statementTimeoutMs = 10_000;
/** A writer that hangs is replaced like one that died: it has to send a statement more often than this. */
export const silenceTimeoutMs = 4_000;
/** How long an answer may take: longer than the server itself lets a statement run. */
const answerTimeoutMs = statementTimeoutMs + 2_000;

/**
 * - Plans are pinned: left to itself PostgreSQL once flipped to sequential scans at 100 rows and lost two thirds of the rate.
 * - The server notices within five seconds that this host is gone, so that the next writer gets the lock.
 */
const settings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
  synchronous_commit: 'on',
  jit: 'off',
  statement_timeout: `${statementTimeoutMs}`,
  idle_session_timeout: `${silenceTimeoutMs}`,
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '5000',
} as const;

/** What the writer needs of a connection. */
export type Session = Pick<Client, 'query'>;

export interface SessionOptions {
  readonly tls?: InternalTls | undefined;
  /** PostgreSQL ends the session of a silent writer; false for one that holds no lock. */
  readonly endsInSilence?: boolean;
  /** What it is called in PostgreSQL. */
  readonly name?: string;
}

/** The writer's own connection. It holds the lock, so a writer that has lost the lock has also lost its connection. */
export async function openSession(
  url: string,
  { tls, endsInSilence = true, name = 'ledger-writer' }: SessionOptions = {},
): Promise<Client> {
  const client = new Client({
    ...{ connectionString: url, ...databaseTls(tls) },
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    application_name: name,
    types: numberTypes(),
  });
  bindInOneBuffer(client);
  await client.connect();
  const pairs = Object.entries({ ...settings, ...(endsInSilence ? {} : { idle_session_timeout: '0' }) });
  await client.query(
    `select ${pairs.map(([setting, value]) => `set_config('${setting}', '${value}', false)`).join(', ')}`,
  );
  return client;
}

/** Calls an open session something else, for those who look at it in PostgreSQL. */
export async function nameSession(session: Session, name: string): Promise<void> {
  await session.query(`select set_config('application_name', $1, false)`, [name]);
}
