import { RowArrays, type ColumnType, type Tx } from '@gateway/persistence';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import { isSuspect, type Breaker, type QueueState } from '#src/queue/queue-state.ts';

/**
 * The columns of `endpoint_queue` that hold a `QueueState`, with the types they travel as. Statements that read or write
 * them are made from this list. `held_until` travels as null where the table has -infinity.
 */
const stateColumns = {
  cap: 'integer',
  suspect: 'boolean',
  breaker: 'text',
  openings: 'integer',
  failing_deliveries: 'jsonb',
  failures: 'integer',
  failing_since: 'timestamptz',
  warned_hours: 'integer',
  gone_count: 'integer',
  gone_since: 'timestamptz',
  held_until: 'timestamptz',
  window_started_at: 'timestamptz',
  window_attempts: 'integer',
  window_failures: 'integer',
} as const satisfies Record<string, ColumnType>;
type StateColumn = keyof typeof stateColumns;
const stateColumnNames = Object.keys(stateColumns) as StateColumn[];

interface StateRow {
  readonly cap: number;
  readonly suspect: boolean;
  readonly breaker: Breaker;
  readonly openings: number;
  readonly failing_deliveries: readonly string[];
  readonly failures: number;
  readonly failing_since: Date | null;
  readonly warned_hours: number;
  readonly gone_count: number;
  readonly gone_since: Date | null;
  readonly held_until: Date | null;
  readonly window_started_at: Date;
  readonly window_attempts: number;
  readonly window_failures: number;
}

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
  readonly state: QueueState;
}

export interface QueueRow extends StateRow {
  readonly endpoint_id: string;
  readonly owner: string;
  readonly inflight: number;
  readonly halted: boolean;
  readonly saturated: boolean;
  readonly held: boolean;
  readonly ready: boolean;
  readonly rate_limit: number | null;
  readonly rate_debt_ms: number;
  readonly now: Date;
}

/** The columns of a `QueueRow`, for a select from `endpoint_queue`. */
export const queueColumns = `endpoint_id, owner, inflight, halted, saturated, held_until > now() as held,
  ready_at <= now() as ready, rate_limit,
  (extract(epoch from greatest(spent_until, now()) - now()) * 1000)::float8 as rate_debt_ms, now() as now,
  ${stateColumnNames.map((name) => (name === 'held_until' ? `nullif(held_until, '-infinity') as held_until` : name)).join(', ')}`;

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
    state: {
      concurrency: row.cap,
      breaker: row.breaker,
      openings: row.openings,
      failingDeliveries: row.failing_deliveries,
      failures: row.failures,
      failingSinceMs: row.failing_since?.getTime() ?? null,
      warnedHours: row.warned_hours,
      goneCount: row.gone_count,
      goneSinceMs: row.gone_since?.getTime() ?? null,
      heldUntilMs: row.held_until?.getTime() ?? -Infinity,
      windowStartedAtMs: row.window_started_at.getTime(),
      windowAttempts: row.window_attempts,
      windowFailures: row.window_failures,
    },
  };
}

export function toStateRow(state: QueueState): StateRow {
  return {
    cap: state.concurrency,
    suspect: isSuspect(state),
    breaker: state.breaker,
    openings: state.openings,
    failing_deliveries: state.failingDeliveries,
    failures: state.failures,
    failing_since: dateOf(state.failingSinceMs),
    warned_hours: state.warnedHours,
    gone_count: state.goneCount,
    gone_since: dateOf(state.goneSinceMs),
    held_until: dateOf(state.heldUntilMs),
    window_started_at: new Date(state.windowStartedAtMs),
    window_attempts: state.windowAttempts,
    window_failures: state.windowFailures,
  };
}

function dateOf(ms: number | null): Date | null {
  return ms === null || ms === -Infinity ? null : new Date(ms);
}

/** Rows of `toStateRow` as parameters, with their endpoint and further members. */
export function stateArrays<Member extends string>(
  members: readonly (readonly [Member, ColumnType])[],
): RowArrays<StateColumn | 'endpoint_id' | Member> {
  return new RowArrays<StateColumn | 'endpoint_id' | Member>([
    ['endpoint_id', 'text'],
    ...members,
    ...stateColumnNames.map((name) => [name, stateColumns[name]] as const),
  ]);
}

/** For `set`: the state of a row of `endpoint_queue` becomes that of a row of `stateArrays`. */
export function stateAssignments(alias: string): string {
  return stateColumnNames.map((name) => `${name} = ${stateValue(alias, name)}`).join(', ');
}

function stateValue(alias: string, name: StateColumn): string {
  if (name === 'held_until') return `coalesce(${alias}.held_until, '-infinity')`;
  if (name === 'failing_deliveries') return `array(select jsonb_array_elements_text(${alias}.failing_deliveries))`;
  return `${alias}.${name}`;
}

export interface LockedQueues {
  readonly queues: ReadonlyMap<string, EndpointQueue>;
  /** The database's clock, the only one that all replicas share. */
  readonly nowMs: number;
}

/**
 * Locks queues until the end of the transaction, ordered by endpoint as in every other place, so that two transactions
 * cannot wait for each other. A waiting or leased delivery is changed only under the lock of its queue.
 */
export async function lockQueues(tx: Pick<PreparedTx, 'sql'>, endpointIds: readonly string[]): Promise<LockedQueues> {
  const rows = await tx.sql<QueueRow>(
    `select ${queueColumns} from endpoint_queue where endpoint_id = any($1) order by endpoint_id for update`,
    [[...new Set(endpointIds)]],
    'webhooks-lock-queues',
  );
  const queues = new Map(rows.map((row) => [row.endpoint_id, toEndpointQueue(row)]));
  return { queues, nowMs: rows[0]?.now.getTime() ?? 0 };
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
