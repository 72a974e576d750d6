import { counter, type Database } from '@gateway/service-kit';
import { deliveryState } from '#src/deliveries/delivery-row.ts';
import { applyVerdicts } from '#src/queue/apply-verdicts.ts';
import { insertAttempts } from '#src/queue/insert-attempts.ts';
import { isSuspect, newLane, type Lane } from '#src/queue/lane.ts';
import { lockLanes } from '#src/queue/lock-lanes.ts';
import { preparedTransaction, type PreparedTx } from '#src/queue/prepared-transaction.ts';
import { settle, type Finished, type Settled } from '#src/queue/settle.ts';

/** Deliveries of a lane that become due at once when its receiver is back; the others keep their time. */
const drainedMax = 10_000;

const attempts = counter('gateway_webhook_attempts_total', 'Calls of receivers by what became of them', ['outcome']);

export interface RecordOptions {
  readonly database: Database;
  readonly replica: string;
  readonly random: () => number;
}

export interface LaneAfter {
  readonly endpoint_id: string;
  /** Calls it may have at once; none while its endpoint is halted or its breaker open. */
  readonly cap: number;
  /** It has something to claim now. */
  readonly ready: boolean;
}

/**
 * Writes what became of a batch of calls: deliveries, log and lanes in one transaction.
 *
 * @returns the lanes that are left; those of endpoints that have been removed may be missing
 */
export async function recordAttempts(
  { database, replica, random }: RecordOptions,
  batch: readonly Finished[],
): Promise<readonly LaneAfter[]> {
  const lanesAfter = await preparedTransaction(database, { durable: true }, async (tx) => {
    const [delivered, failed] = [batch.filter(isDelivered), batch.filter((finished) => !isDelivered(finished))];
    // What was delivered has no next attempt to look for in its lane, which need not be locked while this is written.
    await insertAttempts(
      tx,
      delivered.map((finished) => ({ finished, nextInMs: null })),
      replica,
    );
    const endpointIds = batch.map(({ claimed }) => claimed.endpoint_id);
    const { lanes: before, nowMs } = await lockLanes(tx, endpointIds);
    const lanes = new Map(before);
    const settled = batch.map((finished) => {
      const endpointId = finished.claimed.endpoint_id;
      const settlement = settle(lanes.get(endpointId) ?? newLane(nowMs), finished, nowMs, random);
      lanes.set(endpointId, settlement.lane);
      return { finished, settlement };
    });
    const nextOf = new Map(settled.map(({ finished, settlement }) => [finished, settlement.nextInMs]));
    await insertAttempts(
      tx,
      failed.map((finished) => ({ finished, nextInMs: nextOf.get(finished) ?? null })),
      replica,
    );
    await drainRecovered(tx, before, lanes);
    const present = new Map([...lanes].filter(([endpointId]) => before.has(endpointId)));
    return await updateDeliveriesAndLanes(tx, settled, await applyVerdicts(tx, present, settled, nowMs));
  });
  for (const finished of batch) attempts.add(1, { outcome: outcomeOf(finished) });
  return lanesAfter;
}

function isDelivered(finished: Finished): boolean {
  return 'attempt' in finished && finished.attempt.delivered;
}

function outcomeOf(finished: Finished): string {
  return 'notSent' in finished ? finished.notSent : (finished.attempt.error ?? 'delivered');
}

/** A receiver that is back gets its backlog now, oldest first, instead of on each delivery's own timer. */
async function drainRecovered(
  tx: PreparedTx,
  before: ReadonlyMap<string, Lane>,
  after: ReadonlyMap<string, Lane>,
): Promise<void> {
  const recovered = [...before].filter(
    ([endpointId, lane]) => lane.breaker === 'open' && after.get(endpointId)?.breaker !== 'open',
  );
  for (const [endpointId] of recovered) {
    await tx.sql(
      `update delivery set due_at = now() where endpoint_id = $1 and id in (
         select id from delivery where endpoint_id = $1 and state = 0 and due_at > now() order by due_at limit $2)`,
      [endpointId, drainedMax],
    );
  }
}

/**
 * Only who still holds the lease decides about the delivery. The lane's room grows by the deliveries given back; a
 * lane that had no room left, or has just recovered, looks at once for what waits.
 */
async function updateDeliveriesAndLanes(
  tx: PreparedTx,
  settled: readonly Settled[],
  lanes: ReadonlyMap<string, Lane>,
): Promise<readonly LaneAfter[]> {
  const rows = settled.map(deliveryChange);
  const changes = Map.groupBy(rows, ({ endpointId }) => endpointId);
  const laneRows = [...lanes].map(([endpointId, lane]) => ({ endpointId, lane, rows: changes.get(endpointId) ?? [] }));
  return await tx.sql<LaneAfter>(recordStatement, [
    rows.map(({ place }) => place),
    rows.map(({ id }) => id),
    rows.map(({ lease }) => lease),
    rows.map(({ state }) => state),
    rows.map(({ nextInMs }) => nextInMs),
    rows.map(({ attempted }) => attempted),
    rows.map(({ latencyMs }) => latencyMs),
    rows.map(({ status }) => status),
    rows.map(({ error }) => error),
    laneRows.map(({ endpointId }) => endpointId),
    laneRows.map(({ lane }) => lane.cap),
    laneRows.map(({ lane }) => isSuspect(lane)),
    laneRows.map(({ lane }) => lane.breaker),
    laneRows.map(({ lane }) => lane.openings),
    laneRows.map(({ lane }) => JSON.stringify(lane.failingDeliveries)),
    laneRows.map(({ lane }) => lane.failingSinceMs),
    laneRows.map(({ lane }) => lane.heldUntilMs),
    laneRows.map(({ lane }) => lane.windowStartedAtMs),
    laneRows.map(({ lane }) => lane.windowAttempts),
    laneRows.map(({ lane }) => lane.windowFailures),
    laneRows.map(({ lane }) => lane.warnedHours),
    laneRows.map(({ lane }) => lane.goneCount),
    laneRows.map(({ lane }) => lane.goneSinceMs),
    laneRows.map(({ lane }) => lane.failures),
    laneRows.map((lane) => lane.rows.length),
    laneRows.map((lane) => earliestNext(lane.rows)),
    rows.length,
    laneRows.length,
  ]);
}

function deliveryChange({ finished, settlement }: Settled) {
  const attempt = 'attempt' in finished ? finished.attempt : undefined;
  return {
    endpointId: finished.claimed.endpoint_id,
    id: finished.claimed.id,
    place: finished.claimed.place,
    lease: finished.claimed.lease_owner,
    state: deliveryState[settlement.state],
    nextInMs: settlement.nextInMs,
    attempted: attempt !== undefined,
    latencyMs: attempt ? Math.round(attempt.latencyMs) : null,
    status: attempt?.response?.status ?? null,
    error: 'notSent' in finished ? finished.notSent : (attempt?.error ?? null),
  };
}

/** What is waiting again without a time of its own is due already. */
function earliestNext(rows: readonly ReturnType<typeof deliveryChange>[]): number | null {
  const nextMs = rows.flatMap(({ state, nextInMs }) => (state === deliveryState.waiting ? (nextInMs ?? 0) : []));
  return nextMs.length === 0 ? null : Math.min(...nextMs);
}

/**
 * Each delivery is found where its lease was written: who holds the lease knows that nobody has moved it. The limits,
 * and the sum on the state, keep the planner from comparing all leased deliveries with all of the batch, of either of
 * which it expects a few. For the same reason lanes are not joined with what became of their deliveries: how many these
 * are is known beforehand, unless leases have been lost.
 */
const recordStatement = `
  with change as (
    select * from unnest($1::tid[], $2::text[], $3::text[], $4::smallint[], $5::float8[], $6::boolean[], $7::integer[],
                         $8::smallint[], $9::text[])
      as c (place, id, lease_owner, state, next_in_ms, attempted, latency_ms, response_status, error)
     limit $27::integer
  ), done as (
    update delivery d set
        state = c.state, lease_owner = null, lease_until = null,
        error = case when c.attempted or c.state = 3 then c.error else d.error end,
        attempts = d.attempts + c.attempted::integer,
        attempted_at = case when c.attempted then now() else d.attempted_at end,
        latency_ms = coalesce(c.latency_ms, d.latency_ms),
        response_status = case when c.attempted then c.response_status else d.response_status end,
        due_at = coalesce(now() + c.next_in_ms * interval '1 millisecond', d.due_at)
      from change c
     where d.ctid = c.place and d.id = c.id and d.state + 0 = 1 and d.lease_owner = c.lease_owner
    returning d.endpoint_id
  ), was as (
    select to_timestamp(l.held_until_ms / 1000) as held_until, now() + l.next_in_ms * interval '1 millisecond' as due_at,
           l.*
      from unnest($10::text[], $11::smallint[], $12::boolean[], $13::text[], $14::smallint[], $15::jsonb[], $16::float8[],
                  $17::float8[], $18::float8[], $19::integer[], $20::integer[], $21::smallint[], $22::smallint[],
                  $23::float8[], $24::integer[], $25::smallint[], $26::float8[])
        as l (endpoint_id, cap, suspect, breaker, openings, failing_deliveries, failing_since_ms, held_until_ms,
              window_started_at_ms, window_attempts, window_failures, warned_hours, gone_count, gone_since_ms, failures,
              given, next_in_ms)
     limit $28::integer
  )
  update lane set
      inflight = greatest(lane.inflight - case
        when (select count(*) from done) = $27::integer then was.given
        else (select count(*) from done where done.endpoint_id = was.endpoint_id)::smallint end, 0),
      saturated = false,
      cap = was.cap, suspect = was.suspect, breaker = was.breaker, openings = was.openings,
      failing_deliveries = array(select jsonb_array_elements_text(was.failing_deliveries)),
      failures = was.failures,
      failing_since = to_timestamp(was.failing_since_ms / 1000),
      held_until = was.held_until,
      window_started_at = to_timestamp(was.window_started_at_ms / 1000),
      window_attempts = was.window_attempts, window_failures = was.window_failures,
      warned_hours = was.warned_hours, gone_count = was.gone_count,
      gone_since = to_timestamp(was.gone_since_ms / 1000),
      ready_at = least(
        greatest(was.held_until, case
          when lane.saturated or (lane.breaker = 'open' and was.breaker <> 'open') then now()
          else least(lane.ready_at, was.due_at)
        end),
        case when was.breaker = 'open' then (
          select min(greatest(expires_at - interval '1 hour', now())) from (
            (select expires_at from delivery d where d.endpoint_id = was.endpoint_id and state = 0 and attempts = 0
              order by due_at limit 1)
            union all
            (select expires_at from delivery d where d.endpoint_id = was.endpoint_id and state = 0 and attempts > 0
                and attempted_at < expires_at - interval '1 hour' order by due_at limit 1)
          ) deferred
        ) end
      )
    from was
   where lane.endpoint_id = was.endpoint_id
  returning lane.endpoint_id, lane.ready_at <= now() and not lane.halted as ready,
            case when lane.halted or lane.held_until > now() then 0 else lane.cap end as cap`;
