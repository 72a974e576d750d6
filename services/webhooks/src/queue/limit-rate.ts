import type { Tx } from '@gateway/service-kit';

/** Sets the calls per second of a lane, or lifts the limit; a lane that is not there yet is made when there is one. */
export async function limitRate(tx: Tx, endpointId: string, perSecond: number | null): Promise<void> {
  if (perSecond === null) {
    await tx.sql(
      'update lane set rate_limit = null, ready_at = greatest(held_until, least(ready_at, now())) where endpoint_id = $1',
      [endpointId],
    );
    return;
  }
  await tx.sql(
    `insert into lane (endpoint_id, owner, ready_at, rate_limit)
     select id, environment || ' ' || account_id, 'infinity', $2 from endpoint where id = $1
     on conflict (endpoint_id) do update set rate_limit = excluded.rate_limit, spent_until = now(),
       ready_at = greatest(lane.held_until, least(lane.ready_at, now()))`,
    [endpointId, perSecond],
  );
}
