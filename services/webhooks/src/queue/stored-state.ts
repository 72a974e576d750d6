import { RowArrays, type ColumnType } from '@gateway/persistence';
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

function toState(row: StateRow): QueueState {
  return {
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
  if (name === 'failing_deliveries')
    return `case when ${alias}.failing_deliveries = '[]' then '{}'
      else array(select jsonb_array_elements_text(${alias}.failing_deliveries)) end`;
  return `${alias}.${name}`;
}

interface LockedStates {
  readonly states: ReadonlyMap<string, QueueState>;
  /** The database's clock, the only one that all replicas share. */
  readonly nowMs: number;
}

interface LockedStateRow extends StateRow {
  readonly endpoint_id: string;
  readonly now: Date;
}

const selectedState = stateColumnNames
  .map((name) => (name === 'held_until' ? `nullif(held_until, '-infinity') as held_until` : name))
  .join(', ');

/** Locks queues like `lockQueues`, for what their receivers' answers change. */
export async function lockStates(tx: Pick<PreparedTx, 'sql'>, endpointIds: readonly string[]): Promise<LockedStates> {
  const rows = await tx.sql<LockedStateRow>(
    `select endpoint_id, now() as now, ${selectedState} from endpoint_queue
      where endpoint_id = any($1) order by endpoint_id for update`,
    [[...new Set(endpointIds)]],
    'webhooks-lock-states',
  );
  const states = new Map(rows.map((row) => [row.endpoint_id, toState(row)]));
  return { states, nowMs: rows[0]?.now.getTime() ?? 0 };
}
