import { RowArrays, type Database } from '@gateway/persistence';
import { deliveryState, leaseMs, noLeases, type DeliveryJob, type LeaseLimitsOf } from '#src/queue/delivery-job.ts';
import { immediateReadyAt, passesBreaker } from '#src/queue/immediate-retry.ts';
import { afterClaim, quotaOfClaim, type LeaseQuota } from '#src/queue/lease-quota.ts';
import { preparedTransaction, type ClosableTx, type PreparedTx } from '#src/queue/prepared-transaction.ts';
import { queueColumns, toEndpointQueue, type EndpointQueue, type QueueRow } from '#src/queue/queue-table.ts';

/** Queues visited by one claim, of all accounts and of one account. */
const queuesMax = 32;
const queuesOfAccountMax = 8;
/** They are chosen among so many that have been ready for longest. */
const candidatesMax = 256;
/** In its last hour a delivery gets an attempt even while the breaker keeps deferring it. */
const lastChance = `interval '1 hour'`;
const microsecondsPerMs = 1_000;

/** The permits a claim is for: queues are healthy, or have failed last. */
export type ClaimPool = 'fast' | 'suspect';
const claimPools: readonly ClaimPool[] = ['fast', 'suspect'];

/** By pool, the accounts that have their share of it under way: nothing of theirs is claimed. */
export type AccountsAtShare = Readonly<Record<ClaimPool, readonly string[]>>;

/** In the order of their index and one at most, so that a plan made for a small table suits a large one. */
const nextReady = (suspect: boolean, accountsAtShare: string): string => `(
  select ready_at from endpoint_queue
   where suspect = ${suspect} and not halted and ready_at <= now() and owner <> all(${accountsAtShare}::text[])
   order by ready_at limit 1)`;

const readyPoolsStatement = `
  select ${nextReady(false, '$1')} is not null as fast, ${nextReady(true, '$2')} is not null as suspect`;

/**
 * The pools with a queue to claim from. Most wake-ups find none: one statement for both pools takes a sixth of the round
 * trips of two claims that lease nothing.
 */
export async function readyPools(
  database: Database,
  { fast, suspect }: AccountsAtShare,
): Promise<readonly ClaimPool[]> {
  const [ready] = await database.query<Record<ClaimPool, boolean>>(
    readyPoolsStatement,
    [fast, suspect],
    'webhooks-ready-pools',
  );
  return claimPools.filter((pool) => ready?.[pool]);
}

const nextReadyStatement = `
  select extract(epoch from least(
    (select ready_at from endpoint_queue where suspect = false and not halted order by ready_at limit 1),
    (select ready_at from endpoint_queue where suspect = true and not halted order by ready_at limit 1)))
    ::float8 * 1000 - extract(epoch from now())::float8 * 1000 as "inMs"`;

/** Milliseconds until a queue is ready; Infinity while none has a time for it. */
export async function nextReadyInMs(database: Database): Promise<number> {
  const [next] = await database.query<{ inMs: number | null }>(nextReadyStatement, [], 'webhooks-next-ready');
  return next?.inMs ?? Infinity;
}

export interface ClaimOptions {
  readonly database: Database;
  readonly leaseToken: string;
  readonly pool: ClaimPool;
  /** Deliveries at most. */
  readonly limit: number;
  readonly leaseLimitsOf?: LeaseLimitsOf;
  /** Accounts that have their share of the pool under way: nothing of theirs is claimed. */
  readonly accountsAtShare?: readonly string[];
}

export interface ClaimResult {
  readonly jobs: readonly DeliveryJob[];
  /** There may be more to claim than this claim could take. */
  readonly more: boolean;
}

/**
 * Leases due deliveries: a few of each queue, and of a few queues of each account, those that have been ready longest
 * first. However much one endpoint has waiting, or one account with many endpoints, others are served in between.
 *
 * Each statement sees what was committed before it began. The deliveries are looked for after the queues were locked,
 * so that a delivery committed in between cannot be missed and its queue put to sleep.
 */
export async function claimDeliveries(options: ClaimOptions): Promise<ClaimResult> {
  const { database, leaseToken, limit, leaseLimitsOf = () => noLeases } = options;
  return await preparedTransaction(database, { durable: false }, async (tx) => {
    const queues = await lockReadyQueues(tx, options);
    if (queues.length === 0) return { jobs: [], more: false };
    const share = Math.max(Math.floor(limit / queues.length), 1);
    const visits = queues.map((queue) => ({
      queue,
      quota: quotaOfClaim(queue, leaseLimitsOf(queue.endpointId), share),
    }));
    const jobs = await leaseDue(tx, visits, leaseToken);
    await updateQueues(tx, visits, jobs);
    return { jobs, more: queues.length === queuesMax || jobs.length >= limit || isAccountCutOff(queues) };
  });
}

interface Visit {
  readonly queue: EndpointQueue;
  readonly quota: LeaseQuota;
}

/**
 * Chooses among the queues that have been ready longest, without locking them; then locks the chosen ones by their key,
 * unless another claim has them. As an array they are chosen once, before the lookup.
 */
const lockReadyStatement = `
  with longest_ready as (
    select endpoint_id, owner, ready_at from endpoint_queue
     where suspect = $1 and not halted and ready_at <= now() and owner <> all($2::text[])
     order by ready_at limit ${candidatesMax}
  ), ranked as (
    select endpoint_id, ready_at, row_number() over (partition by owner order by ready_at) as rank_in_account
      from longest_ready
  ), chosen as (
    select endpoint_id from ranked where rank_in_account <= ${queuesOfAccountMax} order by ready_at limit $3
  )
  select ${queueColumns} from endpoint_queue
   where endpoint_id = any(array(select endpoint_id from chosen))
   order by ready_at for update skip locked`;

async function lockReadyQueues(
  tx: PreparedTx,
  { pool, limit, accountsAtShare = [] }: ClaimOptions,
): Promise<EndpointQueue[]> {
  const params = [pool === 'suspect', accountsAtShare, Math.min(queuesMax, limit)];
  const rows = await tx.sql<QueueRow>(lockReadyStatement, params, 'webhooks-claim-queues');
  // Another claim may have had one between the choice and the lock: the row is as that claim left it.
  return rows.map(toEndpointQueue).filter(({ ready, halted, suspect }) => {
    return ready && !halted && suspect === (pool === 'suspect');
  });
}

/** Whether an account may have more queues ready than one claim takes. */
function isAccountCutOff(queues: readonly EndpointQueue[]): boolean {
  return [...Map.groupBy(queues, ({ accountKey }) => accountKey).values()].some(
    (ofAccount) => ofAccount.length >= queuesOfAccountMax,
  );
}

const visitArrays = new RowArrays([
  ['endpoint_id', 'text'],
  ['leases', 'integer'],
  ['held', 'boolean'],
  ['probe', 'boolean'],
  ['concurrency', 'integer'],
]);

/** The due deliveries of a visited queue: while it is held only those in their last hour that had no attempt in it. */
const isDue = `d.endpoint_id = visit.endpoint_id and d.state = ${deliveryState.waiting} and d.due_at <= now()
  and (not visit.held or (d.expires_at <= now() + ${lastChance}
       and (d.attempted_at is null or d.attempted_at < d.expires_at - ${lastChance})))`;

/** Of a queue whose breaker is open, deliveries that began before it opened come first: they are few, and found by their time. */
const isPassing = `visit.held and visit.probe and ${passesBreaker('d', 'visit.endpoint_id')}`;
const somePass = `(visit.held and visit.probe and exists (
  select from delivery passing where ${passesBreaker('passing', 'visit.endpoint_id')}))`;

/**
 * Retries and first attempts have an index each; retries come first. What is due is found before it is updated
 * (`materialized`), so that PostgreSQL never begins with all deliveries. No other claim can lease it in between, since
 * its queue is locked.
 */
const leaseStatement = `
  with due as materialized (
    select visit.endpoint_id, visit.probe and oldest.turn > 0 as probe, visit.concurrency, oldest.id
      from ${visitArrays.from(3, 'visit')}
     cross join lateral (
       (select d.id, 0 as turn, d.due_at from delivery d where ${isPassing}
         order by d.due_at, d.id limit visit.leases)
       union all
       (select d.id, 1 as turn, d.due_at from delivery d where ${isDue} and d.attempts > 0 and not ${somePass}
         order by d.due_at, d.id limit visit.leases)
       union all
       (select d.id, 2 as turn, d.due_at from delivery d where ${isDue} and d.attempts = 0 and not ${somePass}
         order by d.due_at, d.id limit visit.leases)
       order by turn, due_at, id limit visit.leases
     ) oldest
  ), leased as (
    update delivery d
       set state = ${deliveryState.leased}, lease_owner = $1, lease_until = now() + $2 * interval '1 millisecond'
      from due
     where d.endpoint_id = due.endpoint_id and d.id = due.id
    returning d.*, due.probe, due.concurrency
  )
  select leased.id, leased.endpoint_id as "endpointId", leased.lease_owner as "leaseToken",
         leased.event_id as "eventId", leased.event, leased.format, leased.attempts,
         leased.attempts - leased.attempts_before as "cycleAttempts", leased.concurrency, leased.probe,
         (extract(epoch from leased.expires_at - now()) * 1000)::float8 as "remainingMs",
         (extract(epoch from now() - leased.due_at) * 1000)::float8 as "lagMs",
         coalesce(endpoint.environment || ' ' || endpoint.account_id, '') as "accountKey",
         case when endpoint.kind = 'callback' then leased.url else endpoint.url end as url,
         case when endpoint.next_secret_at <= now() then endpoint.next_sealed_secret
              else coalesce(endpoint.sealed_secret, callback_secret.sealed_secret) end as "sealedSecret",
         case when endpoint.kind = 'callback' then 'callback ' || endpoint.environment || ' ' || endpoint.account_id
              else endpoint.id end as "secretOwner",
         case when endpoint.next_secret_at > now() then endpoint.next_sealed_secret end as "nextSealedSecret",
         endpoint.sealed_headers as "sealedHeaders", event.body, event.trace
    from leased
    left join endpoint on endpoint.id = leased.endpoint_id
    left join callback_secret on endpoint.kind = 'callback' and callback_secret.environment = endpoint.environment
                             and callback_secret.account_id = endpoint.account_id
    left join event on event.id = leased.event_id and event.format = leased.format
                   and event.created_at = leased.created_at`;

async function leaseDue(tx: PreparedTx, visits: readonly Visit[], leaseToken: string): Promise<DeliveryJob[]> {
  const rows = visits.map(({ queue, quota }) => ({
    endpoint_id: queue.endpointId,
    leases: quota.leases,
    held: queue.held,
    probe: queue.breaker === 'open',
    concurrency: queue.concurrency,
  }));
  return await tx.sql<DeliveryJob>(
    leaseStatement,
    [leaseToken, leaseMs, ...visitArrays.parametersOf(rows)],
    'webhooks-claim-deliveries',
  );
}

const visitedArrays = new RowArrays([
  ['endpoint_id', 'text'],
  ['leased', 'integer'],
  ['saturated', 'boolean'],
  ['ready_in_us', 'bigint'],
  ['rate_debt_us', 'bigint'],
]);

const updateStatement = `
  update endpoint_queue q set
      inflight = q.inflight + visited.leased,
      saturated = visited.saturated,
      spent_until = coalesce(now() + visited.rate_debt_us * interval '1 microsecond', q.spent_until),
      ready_at = case
        when visited.saturated then 'infinity'
        when visited.ready_in_us is not null then now() + visited.ready_in_us * interval '1 microsecond'
        when q.held_until > now() then
          least(q.held_until, case when q.breaker = 'open' then ${immediateReadyAt('q.endpoint_id')} end)
        else coalesce(least(
          (select d.due_at from delivery d
            where d.endpoint_id = q.endpoint_id and d.state = ${deliveryState.waiting} and d.attempts = 0
              and d.due_at > now() order by d.due_at limit 1),
          (select d.due_at from delivery d
            where d.endpoint_id = q.endpoint_id and d.state = ${deliveryState.waiting} and d.attempts > 0
              and d.due_at > now() order by d.due_at limit 1)), 'infinity')
      end
    from ${visitedArrays.from(1, 'visited')}
   where q.endpoint_id = visited.endpoint_id`;

async function updateQueues(tx: ClosableTx, visits: readonly Visit[], jobs: readonly DeliveryJob[]): Promise<void> {
  const leasedOf = Map.groupBy(jobs, ({ endpointId }) => endpointId);
  const rows = visits.map(({ queue, quota }) => {
    const leased = leasedOf.get(queue.endpointId)?.length ?? 0;
    const { saturated, readyInMs, rateDebtMs } = afterClaim(queue, quota, leased);
    return {
      endpoint_id: queue.endpointId,
      leased,
      saturated,
      ready_in_us: toMicroseconds(readyInMs),
      rate_debt_us: toMicroseconds(rateDebtMs),
    };
  });
  await tx.sqlAndCommit(updateStatement, visitedArrays.parametersOf(rows), 'webhooks-claim-update');
}

function toMicroseconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * microsecondsPerMs);
}
