import { escapeIdentifier } from 'pg';
import { rowsOf } from './rows-of.ts';

/**
 * From its next connection on, what the owner of a database is answered to `clock_timestamp()` there is ahead by so much: time
 * has passed for PostgreSQL too, as it has for a service whose own clock is moved.
 */
export async function moveDatabaseClock(url: string | undefined, aheadMs: number): Promise<void> {
  const [known] = await rowsOf<{ name: string }>(url, 'select current_database() as name');
  if (!known) throw new Error('the database has no name');
  await rowsOf(
    url,
    `create function public.clock_timestamp() returns timestamptz language sql volatile
     return pg_catalog.clock_timestamp() + interval '${aheadMs} milliseconds'`,
  );
  const database = escapeIdentifier(known.name);
  await rowsOf(url, `alter role current_user in database ${database} set search_path = public, pg_catalog`);
}
