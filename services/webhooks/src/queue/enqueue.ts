import { newId } from '@gateway/money';
import { RowArrays } from '@gateway/persistence';
import { accountKeyOf } from '#src/endpoints/endpoint.ts';
import {
  deliveryState,
  leaseMs,
  type DeliveryJob,
  type LeaseLimitsOf,
  type NewDelivery,
} from '#src/queue/delivery-job.ts';
import { grantLeases, type LeaseRequest } from '#src/queue/lease-quota.ts';
import type { ClosableTx, PreparedTx } from '#src/queue/prepared-transaction.ts';
import { ensureQueues, lockQueues, type EndpointQueue } from '#src/queue/queue-table.ts';
import { deliveryLifetimeMs } from '#src/queue/retry-schedule.ts';

/** Permits for deliveries that are sent as soon as they are committed, without a claim. */
export interface LeaseCapacity {
  readonly permits: number;
  /** How many of them one account may take. */
  readonly permitsOf: (accountKey: string) => number;
  readonly leaseToken: string;
  readonly leaseLimitsOf: LeaseLimitsOf;
}

export interface Enqueued {
  /** Leased to this process, to be sent after the commit. */
  readonly jobs: readonly DeliveryJob[];
  /** Deliveries that wait for a claim. */
  readonly waiting: number;
  /** Deliveries their endpoints had been given before: nothing is sent again. */
  readonly duplicates: number;
}

/**
 * Adds deliveries to the queues of their endpoints, one per endpoint and event, ever. The body of an event is stored
 * once per format, and only when a delivery was added. Deliveries of healthy queues are leased as they are written, as
 * far as there is capacity; all others wait for a claim. Those of endpoints that were removed since are left out.
 *
 * @param alongside what else the transaction writes: its statements are sent once the locks of the queues are asked for, so
 *   that every transaction takes those first, and before the last one, which commits
 */
export async function enqueue(
  tx: ClosableTx,
  deliveries: readonly NewDelivery[],
  capacity: LeaseCapacity,
  alongside: () => Promise<void>,
): Promise<Enqueued> {
  if (deliveries.length === 0) {
    await alongside();
    return { jobs: [], waiting: 0, duplicates: 0 };
  }
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const [, queues] = await Promise.all([ensureQueues(tx, endpointIds), lockQueues(tx, endpointIds)]);
  const granted = grantLeases(queues, leaseRequests(deliveries, capacity), capacity.permits);
  const planned = withLeases(deliveries, granted);
  const [, added] = await Promise.all([alongside(), insertDeliveries(tx, planned, capacity.leaseToken)]);
  const jobs = added.filter(({ leased }) => leased).map((each) => toJob(each, queues, capacity.leaseToken));
  return { jobs, waiting: added.length - jobs.length, duplicates: planned.length - added.length };
}

/** By endpoint, in the order of the deliveries: an account's permits go to its endpoints in turn. */
function leaseRequests(deliveries: readonly NewDelivery[], capacity: LeaseCapacity): LeaseRequest[] {
  const permitsLeft = new Map<string, number>();
  return [...Map.groupBy(deliveries, ({ endpointId }) => endpointId)].map(([endpointId, ofEndpoint]) => {
    const accountKey = ofEndpoint[0] ? accountKeyOf(ofEndpoint[0].event) : '';
    const count = ofEndpoint.length;
    const left = permitsLeft.get(accountKey) ?? capacity.permitsOf(accountKey);
    const permits = Math.max(Math.min(left, count), 0);
    permitsLeft.set(accountKey, left - permits);
    return { endpointId, count, permits, ...capacity.leaseLimitsOf(endpointId) };
  });
}

interface PlannedDelivery {
  readonly id: string;
  readonly delivery: NewDelivery;
  readonly leased: boolean;
}

/** The first deliveries of each endpoint get its leases. */
function withLeases(deliveries: readonly NewDelivery[], granted: ReadonlyMap<string, number>): PlannedDelivery[] {
  const left = new Map(granted);
  return deliveries.flatMap((delivery) => {
    const leases = left.get(delivery.endpointId);
    if (leases === undefined) return [];
    left.set(delivery.endpointId, leases - 1);
    return [{ id: newId('delivery'), delivery, leased: leases > 0 }];
  });
}

const deliveryArrays = new RowArrays([
  ['id', 'text'],
  ['endpoint_id', 'text'],
  ['event_id', 'text'],
  ['format', 'text'],
  ['data_id', 'text'],
  ['event', 'text'],
  ['url', 'text'],
  ['leased', 'boolean'],
]);

const eventArrays = new RowArrays([
  ['id', 'text'],
  ['format', 'text'],
  ['environment', 'text'],
  ['account_id', 'text'],
  ['name', 'text'],
  ['data_id', 'text'],
  ['body', 'bytea'],
  ['trace', 'jsonb'],
]);

/** The lease comes first, then the deliveries, then the events. */
const firstOfEvents = 2 + deliveryArrays.count;

/**
 * Deliveries, the leases of their queues and the bodies of their events in one statement, since the queues stay locked.
 * A queue with a delivery that waits becomes ready. An event has the time of its deliveries, which names the partition
 * of its body; `is true` makes PostgreSQL look events up among the new deliveries by a hash of them.
 */
const insertStatement = `
  with inserted as (
    insert into delivery (id, endpoint_id, event_id, format, data_id, event, url, state, lease_owner, lease_until,
                          due_at, created_at, expires_at)
    select id, endpoint_id, event_id, format, data_id, event, url,
           case when leased then ${deliveryState.leased} else ${deliveryState.waiting} end,
           case when leased then $1 end,
           case when leased then now() + ${leaseMs} * interval '1 millisecond' end,
           now(), now(), now() + ${deliveryLifetimeMs} * interval '1 millisecond'
      from ${deliveryArrays.from(2, 'added')}
    on conflict on constraint delivery_once do nothing
    returning id, endpoint_id, event_id, format, state
  ), counted as (
    update endpoint_queue q set
        inflight = q.inflight + added.leased,
        ready_at = case when added.waiting then greatest(q.held_until, least(q.ready_at, now())) else q.ready_at end
      from (
        select endpoint_id, count(*) filter (where state = ${deliveryState.leased}) as leased,
               bool_or(state = ${deliveryState.waiting}) as waiting
          from inserted group by endpoint_id
      ) added
     where q.endpoint_id = added.endpoint_id
  ), stored as (
    insert into event (id, format, environment, account_id, name, data_id, body, trace, created_at)
    select id, format, environment, account_id, name, data_id, body, trace, now()
      from ${eventArrays.from(firstOfEvents, 'body')}
     where ((id, format) in (select event_id, format from inserted)) is true
  )
  select id from inserted`;

/** @returns those that are new to their endpoints */
async function insertDeliveries(
  tx: ClosableTx,
  planned: readonly PlannedDelivery[],
  leaseToken: string,
): Promise<readonly PlannedDelivery[]> {
  const rows = planned.map(({ id, delivery: { endpointId, event, format, url }, leased }) => ({
    id,
    endpoint_id: endpointId,
    event_id: event.id,
    format,
    data_id: event.dataId,
    event: event.name,
    url,
    leased,
  }));
  const inserted = await tx.sqlAndCommit<{ id: string }>(
    insertStatement,
    [leaseToken, ...deliveryArrays.parametersOf(rows), ...eventArrays.parametersOf(eventRows(planned))],
    'webhooks-insert-deliveries',
  );
  const ids = new Set(inserted.map(({ id }) => id));
  return planned.filter(({ id }) => ids.has(id));
}

function eventRows(planned: readonly PlannedDelivery[]) {
  const bodies = new Map(planned.map(({ delivery }) => [`${delivery.event.id} ${delivery.format}`, delivery]));
  return [...bodies.values()].map(({ event, format, body, trace }) => ({
    id: event.id,
    format,
    environment: event.environment,
    account_id: event.accountId,
    name: event.name,
    data_id: event.dataId,
    body,
    trace,
  }));
}

function toJob(
  { id, delivery }: PlannedDelivery,
  queues: ReadonlyMap<string, EndpointQueue>,
  leaseToken: string,
): DeliveryJob {
  const { event, target, endpointId, format, body, trace } = delivery;
  return {
    id,
    endpointId,
    leaseToken,
    accountKey: accountKeyOf(event),
    eventId: event.id,
    event: event.name,
    format,
    attempts: 0,
    cycleAttempts: 0,
    concurrency: queues.get(endpointId)?.concurrency ?? 1,
    probe: false,
    remainingMs: deliveryLifetimeMs,
    lagMs: 0,
    ...target,
    body,
    trace,
  };
}

/**
 * Makes deliveries of one endpoint due now, with a new lifetime and schedule. The merchant asked for it, which is
 * reason enough to try a receiver that its breaker holds back. Deliveries under way stay as they are.
 */
export async function requeue(tx: Pick<PreparedTx, 'sql'>, endpointId: string, ids: readonly string[]): Promise<void> {
  await ensureQueues(tx, [endpointId]);
  await lockQueues(tx, [endpointId]);
  await tx.sql(
    `update delivery set state = ${deliveryState.waiting}, due_at = now(), attempts_before = attempts,
            expires_at = now() + ${deliveryLifetimeMs} * interval '1 millisecond'
      where endpoint_id = $1 and id = any($2) and state <> ${deliveryState.leased}`,
    [endpointId, ids],
  );
  await tx.sql(
    `update endpoint_queue set ready_at = now(), held_until = least(held_until, now()) where endpoint_id = $1`,
    [endpointId],
  );
}
