import type { Database } from '@gateway/persistence';
import { reconcileNow, type ReconciliationDependencies } from '#src/reconciliation/run-reconciliation.ts';

/** Any value, the same for all instances: one of them reconciles. */
const reconciliationLock = 7_470_003;

/** The newest moment, at or before now, at which the daily reconciliation was due. */
export function dueSince(nowMs: number, hourUtc: number): Date {
  const due = new Date(nowMs);
  due.setUTCHours(hourUtc, 0, 0, 0);
  if (due.getTime() > nowMs) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}

/** Runs the reconciliation of the day unless one has run since it was due; a missed hour is made up for. */
export async function reconcileDaily(dependencies: ReconciliationDependencies, hourUtc: number): Promise<void> {
  const { database, now } = dependencies;
  const client = await database.pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      reconciliationLock,
    ]);
    if (!rows[0]?.mine) return;
    try {
      if (!(await hasRunSince(database, dueSince(now(), hourUtc)))) await reconcileNow(dependencies);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [reconciliationLock]);
    }
  } finally {
    client.release();
  }
}

async function hasRunSince(database: Database, since: Date): Promise<boolean> {
  const rows = await database.query('select 1 from reconciliation where started_at >= $1 limit 1', [since]);
  return rows.length > 0;
}
