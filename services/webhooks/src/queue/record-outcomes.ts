import { RowArrays, type Database } from '@gateway/persistence';
import { counter } from '@gateway/runtime';
import { logAttempts } from '#src/queue/attempt-log.ts';
import { deliveryState, type FinishedJob } from '#src/queue/delivery-job.ts';
import { enforceHealthPolicy } from '#src/queue/health-policy.ts';
import { immediateReadyAt } from '#src/queue/immediate-retry.ts';
import { transitionOf, type Transition } from '#src/queue/outcome.ts';
import { preparedTransaction, type ClosableTx, type PreparedTx } from '#src/queue/prepared-transaction.ts';
import { initialQueueState, type QueueState } from '#src/queue/queue-state.ts';
import { lockStates, stateArrays, stateAssignments, toStateRow } from '#src/queue/stored-state.ts';

/** Deliveries of a queue that become due at once when its receiver is back; the others keep their time. */
const drainedMax = 10_000;

const attempts = counter('gateway_webhook_attempts_total', 'Calls of receivers by what became of them', ['outcome']);

export interface RecordOptions {
  readonly database: Database;
  readonly replica: string;
  readonly random: () => number;
}

/** A queue as its outcomes left it. */
export interface QueueUpdate {
  readonly endpointId: string;
  /** Calls it may have at once; none while its endpoint is halted or its breaker open. */
  readonly concurrency: number;
  /** It has something to claim now. */
  readonly ready: boolean;
}

/**
 * Records the outcomes of a batch of jobs: log, deliveries and queues in one transaction.
 *
 * @returns the queues; those of endpoints that were removed may be missing
 */
export async function recordOutcomes(
  { database, replica, random }: RecordOptions,
  batch: readonly FinishedJob[],
): Promise<readonly QueueUpdate[]> {
  const updates = await preparedTransaction(database, { durable: true }, async (tx) => {
    // What becomes of a delivered job does not depend on its queue. It is sent along with the lock: logged before that,
    // so that the lock does not last as long.
    const delivered = batch.filter(isDelivered).map(deliveredJob);
    const [, { states: before, nowMs }, releasedDelivered] = await Promise.all([
      logAttempts(tx, delivered, replica),
      lockStates(
        tx,
        batch.map(({ job }) => job.endpointId),
      ),
      releaseLeases(tx, delivered),
    ]);
    const { transitions, after } = transitionsOf(batch, before, nowMs, random);
    const others = transitions.filter(({ finished }) => !isDelivered(finished));
    await logAttempts(tx, others, replica);
    await drainRecovered(tx, before, after);
    const releasedOthers = await releaseLeases(tx, others);
    const enforced = await enforceHealthPolicy(tx, after, transitions, nowMs);
    return await saveQueues(tx, enforced, transitions, countsOf([...releasedDelivered, ...releasedOthers]));
  });
  for (const finished of batch) attempts.add(1, { outcome: outcomeLabel(finished) });
  return updates;
}

function isDelivered({ outcome }: FinishedJob): boolean {
  return outcome.kind === 'attempted' && outcome.attempt.delivered;
}

/** What a delivered job changes, whatever the state of its queue. */
function deliveredJob(finished: FinishedJob): DeliveredJob {
  return { finished, deliveryState: 'delivered', nextInMs: null };
}
type DeliveredJob = Omit<Transition, 'queueState'>;

function outcomeLabel({ outcome }: FinishedJob): string {
  return outcome.kind === 'skipped' ? outcome.reason : (outcome.attempt.error ?? 'delivered');
}

/** One after the other: each outcome starts from the state the one before it left. Removed queues have no state. */
function transitionsOf(
  batch: readonly FinishedJob[],
  before: ReadonlyMap<string, QueueState>,
  nowMs: number,
  random: () => number,
): { readonly transitions: readonly Transition[]; readonly after: ReadonlyMap<string, QueueState> } {
  const after = new Map(before);
  const transitions = batch.map((finished) => {
    const { endpointId } = finished.job;
    const transition = transitionOf(after.get(endpointId) ?? initialQueueState(nowMs), finished, nowMs, random);
    if (before.has(endpointId)) after.set(endpointId, transition.queueState);
    return transition;
  });
  return { transitions, after };
}

/** A receiver that is back gets its backlog now, oldest first, instead of at each delivery's own time. */
async function drainRecovered(
  tx: PreparedTx,
  before: ReadonlyMap<string, QueueState>,
  after: ReadonlyMap<string, QueueState>,
): Promise<void> {
  const recovered = [...before].filter(
    ([endpointId, { breaker }]) => breaker === 'open' && after.get(endpointId)?.breaker !== 'open',
  );
  for (const [endpointId] of recovered) {
    await tx.sql(
      `update delivery set due_at = now() where endpoint_id = $1 and id in (
         select id from delivery
          where endpoint_id = $1 and state = ${deliveryState.waiting} and due_at > now() order by due_at limit $2)`,
      [endpointId, drainedMax],
    );
  }
}

const releaseArrays = new RowArrays([
  ['endpoint_id', 'text'],
  ['id', 'text'],
  ['lease_owner', 'text'],
  ['state', 'integer'],
  ['next_in_ms', 'integer'],
  ['attempted', 'boolean'],
  ['latency_ms', 'integer'],
  ['response_status', 'integer'],
  ['error', 'text'],
]);

/**
 * Only the holder of the lease decides about the delivery. The lease's own name is the whole condition, since only a
 * leased delivery has one: with `state` in it PostgreSQL would use the index of leased deliveries, which it expects to be
 * few, and compare all of them with all of the batch.
 */
const releaseStatement = `
  update delivery d set
      state = outcome.state, lease_owner = null, lease_until = null,
      attempts = d.attempts + outcome.attempted::integer,
      attempted_at = case when outcome.attempted then now() else d.attempted_at end,
      latency_ms = coalesce(outcome.latency_ms, d.latency_ms),
      response_status = case when outcome.attempted then outcome.response_status else d.response_status end,
      error = case when outcome.attempted or outcome.state = ${deliveryState.failed} then outcome.error else d.error end,
      due_at = coalesce(now() + outcome.next_in_ms * interval '1 millisecond', d.due_at)
    from ${releaseArrays.from(1, 'outcome')}
   where d.endpoint_id = outcome.endpoint_id and d.id = outcome.id and d.lease_owner = outcome.lease_owner
  returning d.endpoint_id`;

/** @returns the endpoints of the leases that were held until now; one that had ended by itself is not among them */
async function releaseLeases(tx: PreparedTx, transitions: readonly DeliveredJob[]): Promise<readonly string[]> {
  if (transitions.length === 0) return [];
  const rows = transitions.map(({ finished: { job, outcome }, ...transition }) => {
    const attempt = outcome.kind === 'attempted' ? outcome.attempt : undefined;
    return {
      endpoint_id: job.endpointId,
      id: job.id,
      lease_owner: job.leaseToken,
      state: deliveryState[transition.deliveryState],
      next_in_ms: transition.nextInMs,
      attempted: attempt !== undefined,
      latency_ms: attempt ? Math.round(attempt.latencyMs) : null,
      response_status: attempt?.response?.status ?? null,
      error: outcome.kind === 'skipped' ? outcome.reason : (attempt?.error ?? null),
    };
  });
  const params = releaseArrays.parametersOf(rows);
  const released = await tx.sql<{ endpoint_id: string }>(releaseStatement, params, 'webhooks-release-leases');
  return released.map(({ endpoint_id }) => endpoint_id);
}

function countsOf(endpointIds: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const endpointId of endpointIds) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return counts;
}

const queueArrays = stateArrays([
  ['released', 'integer'],
  ['next_in_ms', 'integer'],
]);

/**
 * While the breaker is open, deliveries in their last hour are due all the same: of first attempts, and of retries that
 * had no attempt in it, the one that has waited longest.
 */
const lastHourReadyAt = `(
  select min(greatest(deferred.expires_at - interval '1 hour', now())) from (
    (select d.expires_at from delivery d
      where d.endpoint_id = after.endpoint_id and d.state = ${deliveryState.waiting} and d.attempts = 0
      order by d.due_at limit 1)
    union all
    (select d.expires_at from delivery d
      where d.endpoint_id = after.endpoint_id and d.state = ${deliveryState.waiting} and d.attempts > 0
        and d.attempted_at < d.expires_at - interval '1 hour'
      order by d.due_at limit 1)
  ) deferred)`;

/** A queue that was saturated, or whose receiver has just come back, is looked at now. */
const saveStatement = `
  update endpoint_queue q set
      inflight = greatest(q.inflight - after.released, 0), saturated = false, ${stateAssignments('after')},
      ready_at = least(
        greatest(after.held_until, case
          when q.saturated or (q.breaker = 'open' and after.breaker <> 'open') then now()
          else least(q.ready_at, now() + after.next_in_ms * interval '1 millisecond')
        end),
        case when after.breaker = 'open' then least(${lastHourReadyAt}, ${immediateReadyAt('after.endpoint_id')}) end
      )
    from ${queueArrays.from(1, 'after')}
   where q.endpoint_id = after.endpoint_id
  returning q.endpoint_id as "endpointId", q.ready_at <= now() and not q.halted as ready,
            case when q.halted or q.held_until > now() then 0 else q.cap end as concurrency`;

async function saveQueues(
  tx: ClosableTx,
  states: ReadonlyMap<string, QueueState>,
  transitions: readonly Transition[],
  released: ReadonlyMap<string, number>,
): Promise<readonly QueueUpdate[]> {
  const byEndpoint = Map.groupBy(transitions, ({ finished }) => finished.job.endpointId);
  const rows = [...states].map(([endpointId, state]) => ({
    endpoint_id: endpointId,
    released: released.get(endpointId) ?? 0,
    next_in_ms: earliestNextInMs(byEndpoint.get(endpointId) ?? []),
    ...toStateRow(state),
  }));
  return await tx.sqlAndCommit<QueueUpdate>(saveStatement, queueArrays.parametersOf(rows), 'webhooks-save-queues');
}

/** A delivery that waits again without a time of its own is due already. */
function earliestNextInMs(transitions: readonly Transition[]): number | null {
  const nextMs = transitions.flatMap(({ deliveryState: state, nextInMs }) =>
    state === 'waiting' ? [nextInMs ?? 0] : [],
  );
  return nextMs.length === 0 ? null : Math.min(...nextMs);
}
