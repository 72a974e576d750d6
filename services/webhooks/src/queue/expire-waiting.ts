import type { Database } from '@gateway/service-kit';

const perLaneMax = 1_000;

/**
 * Ends deliveries whose day is over in lanes nothing is claimed from: paused, disabled, or with an open breaker. In
 * all others the next claim notices. First attempts are due from their creation, so that their age is in the index.
 *
 * @returns true when a lane may have more
 */
export async function expireWaiting(database: Database): Promise<boolean> {
  const expired = await database.query<{ most: number }>(
    `with expired as (
       update delivery set state = 3, error = 'expired' where state = 0 and (endpoint_id, id) in (
         select lane.endpoint_id, due.id from lane cross join lateral (
           (select id from delivery d where d.endpoint_id = lane.endpoint_id and state = 0 and attempts = 0
               and due_at <= now() - interval '24 hours' and expires_at <= now() order by due_at limit $1)
           union all
           (select id from delivery d where d.endpoint_id = lane.endpoint_id and state = 0 and attempts > 0
               and expires_at <= now() order by due_at limit $1)
         ) due where lane.halted or lane.breaker = 'open')
       returning endpoint_id
     )
     select count(*)::integer as most from expired group by endpoint_id order by 1 desc limit 1`,
    [perLaneMax],
  );
  return (expired[0]?.most ?? 0) >= perLaneMax;
}
