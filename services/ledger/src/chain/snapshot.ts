import type { Pool } from 'pg';

/** Runs statements in one snapshot, so that everything read belongs to the same moment. */
export interface Snapshot {
  query<Row extends object>(text: string, params: readonly unknown[]): Promise<Row[]>;
}

/** Reads in one transaction that sees a single moment and changes nothing. Sequential scans are no use in it. */
export async function inSnapshot<T>(pool: Pool, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(
      "set local statement_timeout = 0; set local plan_cache_mode = 'force_custom_plan'; set local enable_seqscan = on",
    );
    const query = async <Row extends object>(text: string, params: readonly unknown[]) =>
      (await client.query(text, [...params])).rows as Row[];
    return await work({ query });
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}
