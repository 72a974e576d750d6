import type { Breaker, Lane } from '#src/queue/lane.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

interface LaneRow {
  readonly endpoint_id: string;
  readonly cap: number;
  readonly breaker: Breaker;
  readonly openings: number;
  readonly failing_deliveries: readonly string[];
  readonly failures: number;
  readonly failing_since_ms: number | null;
  readonly warned_hours: number;
  readonly gone_count: number;
  readonly gone_since_ms: number | null;
  readonly held_until_ms: number;
  readonly window_started_at_ms: number;
  readonly window_attempts: number;
  readonly window_failures: number;
  readonly now_ms: number;
}

export interface LockedLanes {
  readonly lanes: ReadonlyMap<string, Lane>;
  /** The database's clock: the only one all replicas share. */
  readonly nowMs: number;
}

/**
 * Locks lanes until the end of the transaction, in the order everybody takes. A waiting or leased delivery is only
 * changed under the lock of its lane.
 */
export async function lockLanes(tx: PreparedTx, endpointIds: readonly string[]): Promise<LockedLanes> {
  const rows = await tx.sql<LaneRow>(
    `select endpoint_id, cap, breaker, openings, failing_deliveries, failures, window_attempts, window_failures,
            warned_hours, gone_count,
            (extract(epoch from gone_since) * 1000)::float8 as gone_since_ms,
            (extract(epoch from failing_since) * 1000)::float8 as failing_since_ms,
            (extract(epoch from held_until) * 1000)::float8 as held_until_ms,
            (extract(epoch from window_started_at) * 1000)::float8 as window_started_at_ms,
            (extract(epoch from now()) * 1000)::float8 as now_ms
       from lane where endpoint_id = any($1) order by endpoint_id for update`,
    [[...new Set(endpointIds)]],
  );
  return { lanes: new Map(rows.map((row) => [row.endpoint_id, toLane(row)])), nowMs: rows[0]?.now_ms ?? 0 };
}

function toLane(row: LaneRow): Lane {
  return {
    cap: row.cap,
    breaker: row.breaker,
    openings: row.openings,
    failingDeliveries: row.failing_deliveries,
    failures: row.failures,
    failingSinceMs: row.failing_since_ms,
    warnedHours: row.warned_hours,
    goneCount: row.gone_count,
    goneSinceMs: row.gone_since_ms,
    heldUntilMs: row.held_until_ms,
    windowStartedAtMs: row.window_started_at_ms,
    windowAttempts: row.window_attempts,
    windowFailures: row.window_failures,
  };
}
