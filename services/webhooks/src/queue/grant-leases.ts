import type { Leases } from '#src/queue/leases.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

/** New deliveries of one endpoint, and what of its lane this process holds. */
export interface Wanted extends Leases {
  readonly endpointId: string;
  readonly count: number;
  /** Leases its account's share of the calls leaves it. */
  readonly allowed: number;
}

export interface Granted {
  readonly leases: number;
  /** Calls the lane may have at once. */
  readonly cap: number;
}

/**
 * Lets new deliveries of lanes that are well and have nothing waiting be leased as they are written, up to the room of
 * each lane and `room` in all; lanes that cannot take all of theirs are woken instead, for a claim to come by. A lane
 * whose every lease is held here may have as many more as this process takes ahead of its calls. Locks the lanes until
 * the end of the transaction, in the order everybody takes.
 *
 * @param room calls that can be made at once; what is leased ahead of the calls of its lane waits for those
 * @returns the leases by endpoint; missing are endpoints that have gone meanwhile, whose deliveries nobody would send
 */
export async function grantLeases(
  tx: PreparedTx,
  wanted: readonly Wanted[],
  room: number,
): Promise<ReadonlyMap<string, Granted>> {
  const endpointIds = wanted.map(({ endpointId }) => endpointId);
  await makeLanes(tx, endpointIds);
  const granted = await tx.sql<{ endpoint_id: string; granted: number; cap: number }>(grantStatement, [
    endpointIds,
    wanted.map(({ count }) => count),
    room,
    wanted.map(({ held }) => held),
    wanted.map(({ most }) => most),
    wanted.map(({ allowed }) => allowed),
  ]);
  return new Map(granted.map((lane) => [lane.endpoint_id, { leases: lane.granted, cap: lane.cap }]));
}

/** Takes back leases whose delivery turned out to be known already. */
export async function returnLeases(tx: PreparedTx, unused: ReadonlyMap<string, number>): Promise<void> {
  if (unused.size === 0) return;
  await tx.sql(
    `update lane set inflight = greatest(inflight - unused.count, 0)
       from unnest($1::text[], $2::smallint[]) as unused (endpoint_id, count)
      where lane.endpoint_id = unused.endpoint_id`,
    [[...unused.keys()], [...unused.values()]],
  );
}

/**
 * $1 endpoints, $2 deliveries of each, $3 room, $4 leases held here, $5 the most there may be, $6 leases its
 * account may have. A lane that is ready has something waiting, which comes first.
 */
const grantStatement = `
  with locked as (
    select lane.endpoint_id, wanted.count,
           case when closed then 0 else greatest(least(wanted.count, cap - inflight, allowed), 0) end as room,
           case when closed or inflight > held or allowed = 0 then 0 else least(wanted.count, most - inflight) end as ahead
      from unnest($1::text[], $2::integer[], $4::integer[], $5::integer[], $6::integer[])
           as wanted (endpoint_id, count, held, most, allowed)
      join lane on lane.endpoint_id = wanted.endpoint_id
      cross join lateral (select suspect or halted or saturated or breaker <> 'closed' or rate_limit is not null
        or held_until > now() or ready_at <= now() as closed) state
     order by lane.endpoint_id for update of lane
  ), limited as (
    select endpoint_id, count, room, ahead,
           greatest(least(room, $3::integer - (sum(room) over (order by endpoint_id) - room)), 0) as at_once
      from locked
  ), given as (
    select endpoint_id, count, (case when at_once < room then at_once else greatest(room, ahead) end)::smallint as granted
      from limited
  )
  update lane set
      inflight = lane.inflight + given.granted,
      ready_at = case when given.granted = given.count then lane.ready_at
                      else greatest(lane.held_until, least(lane.ready_at, now())) end
    from given where lane.endpoint_id = given.endpoint_id
  returning lane.endpoint_id, given.granted, lane.cap`;

/**
 * Before the lanes are locked: one that another transaction makes at the same moment is then locked with all the others.
 * Who found none and only then made it could find it made meanwhile, and leave a delivery in a lane that is asleep.
 */
async function makeLanes(tx: PreparedTx, endpointIds: readonly string[]): Promise<void> {
  await tx.sql(
    `insert into lane (endpoint_id, owner, ready_at)
     select endpoint_id, environment || ' ' || account_id, 'infinity'
       from unnest($1::text[]) as wanted (endpoint_id) join endpoint on endpoint.id = wanted.endpoint_id
      where not exists (select from lane where lane.endpoint_id = wanted.endpoint_id) order by endpoint_id
     on conflict (endpoint_id) do nothing`,
    [endpointIds],
  );
}
