import type { Database } from '#src/database.ts';

/**
 * Since when a database has kept every change. What was committed before the server started may lack its last part: the
 * database may be a restored backup. A standby that took over has been running before; then it is the last that it was handed.
 */
export async function rememberedSince(database: Database): Promise<Date> {
  const rows = await database.query<{ since: Date }>(
    'select greatest(pg_postmaster_start_time(), pg_last_xact_replay_timestamp()) as since',
    [],
    'remembered-since',
  );
  return rows[0]?.since ?? new Date();
}
