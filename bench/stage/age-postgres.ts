import { Client } from 'pg';

/** So that a turn of the log is a turn, and not skipped because nothing was written since the last one. */
const writeSomething = `select pg_logical_emit_message(false, 'bench', '')`;

/**
 * Brings a new server to where one is that has run for a while and keeps its log files (`min_wal_size`): it writes into
 * files it has written before. A new one has to create each, fill it with zeros and sync it in the middle of somebody's
 * commit, until it has `max_wal_size` of them. Who writes most in the first minute pays most of that.
 */
export async function agePostgres(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ files: number }>(
      `select (pg_size_bytes(current_setting('max_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')))::int
         as files`,
    );
    for (let file = 0; file < (rows[0]?.files ?? 0); file++) {
      await client.query(writeSomething);
      await client.query('select pg_switch_wal()');
    }
    // Files that are no longer needed are given new names here, for what will be written next.
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
