import type { Tx } from '@gateway/persistence';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import type { Breaker } from '#src/queue/queue-state.ts';

/** A row of `endpoint_queue` whose lock this transaction holds. */
export interface EndpointQueue {
  readonly endpointId: string;
  /** Environment and account of the endpoint. */
  readonly accountKey: string;
  /** Leases of its deliveries, in all processes. */
  readonly inflight: number;
  /** Its endpoint is paused or disabled: nothing is claimed. */
  readonly halted: boolean;
  /** Deliveries may be due that found no free lease; the next recorded outcome looks for them. */
  readonly saturated: boolean;
  /** Nothing is sent yet, except by a probe or in a delivery's last hour. */
  readonly held: boolean;
  /** Its deliveries can be claimed now. */
  readonly ready: boolean;
  /** Calls per second; null without a limit. */
  readonly rateLimit: number | null;
  /** Milliseconds until the calls made so far are paid for, at `rateLimit` calls per second. */
  readonly rateDebtMs: number;
  /** Calls it may have at once. */
  readonly concurrency: number;
  /** It has failed last, and uses the permits of those that have. */
  readonly suspect: boolean;
  readonly breaker: Breaker;
}

export interface QueueRow {
  readonly endpoint_id: string;
  readonly owner: string;
  readonly inflight: number;
  readonly halted: boolean;
  readonly saturated: boolean;
  readonly held: boolean;
  readonly ready: boolean;
  readonly rate_limit: number | null;
  readonly rate_debt_ms: number;
  readonly cap: number;
  readonly suspect: boolean;
  readonly breaker: Breaker;
}

/** The columns of a `QueueRow`, for a select from `endpoint_queue`. */
export const queueColumns = `endpoint_id, owner, inflight, halted, saturated, held_until > now() as held,
  ready_at <= now() as ready, rate_limit, cap, suspect, breaker,
  case when rate_limit is null then 0
       else (extract(epoch from greatest(spent_until, now()) - now()) * 1000)::float8 end as rate_debt_ms`;

export function toEndpointQueue(row: QueueRow): EndpointQueue {
  return {
    endpointId: row.endpoint_id,
    accountKey: row.owner,
    inflight: row.inflight,
    halted: row.halted,
    saturated: row.saturated,
    held: row.held,
    ready: row.ready,
    rateLimit: row.rate_limit,
    rateDebtMs: row.rate_debt_ms,
    concurrency: row.cap,
    suspect: row.suspect,
    breaker: row.breaker,
  };
}

/**
 * Locks queues until the end of the transaction, ordered by endpoint as in every other place, so that two transactions
 * cannot wait for each other. A waiting or leased delivery is changed only under the lock of its queue.
 */
export async function lockQueues(
  tx: Pick<PreparedTx, 'sql'>,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, EndpointQueue>> {
  const rows = await tx.sql<QueueRow>(
    `select ${queueColumns} from endpoint_queue where endpoint_id = any($1) order by endpoint_id for update`,
    [[...new Set(endpointIds)]],
    'webhooks-lock-queues',
  );
  return new Map(rows.map((row) => [row.endpoint_id, toEndpointQueue(row)]));
}

/**
 * Makes the queues that are missing, before they are locked: one that another transaction makes at the same moment is
 * then locked with the others. Otherwise a delivery could be added to a queue that does not know that it is ready.
 */
export async function ensureQueues(tx: Pick<PreparedTx, 'sql'>, endpointIds: readonly string[]): Promise<void> {
  await tx.sql(
    `insert into endpoint_queue (endpoint_id, owner, ready_at)
     select endpoint.id, endpoint.environment || ' ' || endpoint.account_id, 'infinity'
       from unnest($1::text[]) as wanted (id) join endpoint on endpoint.id = wanted.id
      where not exists (select from endpoint_queue where endpoint_id = wanted.id)
      order by endpoint.id
     on conflict (endpoint_id) do nothing`,
    [endpointIds],
    'webhooks-ensure-queues',
  );
}

/** Sets or lifts the calls per second of a queue. */
export async function limitRate(tx: Tx, endpointId: string, perSecond: number | null): Promise<void> {
  if (perSecond !== null) await ensureQueues(tx, [endpointId]);
  await tx.sql(
    `update endpoint_queue set rate_limit = $2, ready_at = greatest(held_until, least(ready_at, now())),
            spent_until = case when $2::integer is null then spent_until else now() end
      where endpoint_id = $1`,
    [endpointId, perSecond],
  );
}

/** Nothing is claimed any more: the endpoint is paused or disabled. */
export async function haltQueue(tx: Pick<PreparedTx, 'sql'>, endpointId: string): Promise<void> {
  await ensureQueues(tx, [endpointId]);
  await tx.sql('update endpoint_queue set halted = true where endpoint_id = $1', [endpointId]);
}

/**
 * The endpoint is enabled again. Its queue starts from the beginning, since earlier failures say nothing about the
 * receiver now; how long it has been failing is forgotten only when it had been disabled.
 */
export async function resumeQueue(
  tx: Pick<PreparedTx, 'sql'>,
  endpointId: string,
  { wasDisabled }: { readonly wasDisabled: boolean },
): Promise<void> {
  await tx.sql(
    `update endpoint_queue set halted = false, ready_at = now(), held_until = default, cap = default, suspect = false,
            breaker = 'closed', openings = 0, failing_deliveries = '{}', failures = 0,
            window_attempts = 0, window_failures = 0, gone_count = 0, gone_since = null,
            failing_since = case when $2 then null else failing_since end,
            warned_hours = case when $2 then 0 else warned_hours end
      where endpoint_id = $1`,
    [endpointId, wasDisabled],
  );
}

/** The endpoints are removed: what waits for them is never sent, and `clearAbandoned` ends it. */
export async function abandonQueues(tx: Pick<PreparedTx, 'sql'>, endpointIds: readonly string[]): Promise<void> {
  await tx.sql('update endpoint_queue set halted = true, abandoned = true where endpoint_id = any($1)', [endpointIds]);
}
