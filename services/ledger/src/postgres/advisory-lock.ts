import type { Pool } from 'pg';

/** Does the work unless another process has the lock, which is any number that is the same for all of them. */
export async function unlessLocked(pool: Pool, lock: number, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let mayHaveLock = true;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock]);
    if (rows[0]?.mine) {
      await work();
      await client.query('select pg_advisory_unlock($1)', [lock]);
    }
    mayHaveLock = false;
  } finally {
    // A session that may still have the lock is closed: in the pool it would keep the lock from every process.
    client.release(mayHaveLock);
  }
}
