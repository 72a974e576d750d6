import type { PreparedTx } from '#src/lanes/prepared-transaction.ts';

/**
 * Lets new deliveries of lanes that are well and have nothing waiting be leased as they are written, up to the room of
 * each lane and `room` in all; lanes that cannot take all of theirs are woken instead, for a claim to come by. Locks the
 * lanes until the end of the transaction, in the order everybody takes.
 *
 * @param wanted new deliveries by endpoint
 * @returns the leases by endpoint; missing are endpoints that have gone meanwhile, whose deliveries nobody would send
 */
export async function grantLeases(
  tx: PreparedTx,
  wanted: ReadonlyMap<string, number>,
  room: number,
): Promise<ReadonlyMap<string, number>> {
  await makeLanes(tx, [...wanted.keys()]);
  const granted = await tx.sql<{ endpoint_id: string; granted: number }>(grantStatement, [
    [...wanted.keys()],
    [...wanted.values()],
    room,
  ]);
  return new Map(granted.map(({ endpoint_id, granted: leases }) => [endpoint_id, leases]));
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

/** $1 endpoints, $2 deliveries of each, $3 room. A lane that is ready has something waiting, which comes first. */
const grantStatement = `
  with locked as (
    select lane.endpoint_id, wanted.count,
           case when suspect or halted or saturated or breaker <> 'closed' or rate_limit is not null
                  or held_until > now() or ready_at <= now() then 0
                else greatest(least(wanted.count, cap - inflight), 0) end as room
      from unnest($1::text[], $2::integer[]) as wanted (endpoint_id, count)
      join lane on lane.endpoint_id = wanted.endpoint_id
     order by lane.endpoint_id for update of lane
  ), limited as (
    select endpoint_id, count,
           greatest(least(room, $3::integer - (sum(room) over (order by endpoint_id) - room)), 0)::smallint as granted
      from locked
  )
  update lane set
      inflight = lane.inflight + limited.granted,
      ready_at = case when limited.granted = limited.count then lane.ready_at
                      else greatest(lane.held_until, least(lane.ready_at, now())) end
    from limited where lane.endpoint_id = limited.endpoint_id
  returning lane.endpoint_id, limited.granted`;

/**
 * Before the lanes are locked: one that another transaction makes at the same moment is then locked with all the others.
 * Who found none and only then made it could find it made meanwhile, and leave a delivery in a lane that is asleep.
 */
async function makeLanes(tx: PreparedTx, endpointIds: readonly string[]): Promise<void> {
  await tx.sql(
    `insert into lane (endpoint_id, ready_at)
     select endpoint_id, 'infinity' from unnest($1::text[]) as wanted (endpoint_id)
      where not exists (select from lane where lane.endpoint_id = wanted.endpoint_id) order by endpoint_id
     on conflict (endpoint_id) do nothing`,
    [endpointIds],
  );
}
