import type { Database } from '@gateway/service-kit';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import { lockLanes } from '#src/queue/lock-lanes.ts';

const batchMax = 500;

/**
 * Gives back deliveries whose holder died between claim and record. They are sent again with the same ids: whether
 * the receiver has seen them is not known.
 *
 * @returns true when more may be waiting
 */
export async function expireLeases(database: Database): Promise<boolean> {
  return await preparedTransaction(database, { durable: true }, async (tx) => {
    const expired = await tx.sql<{ id: string; endpoint_id: string }>(
      'select id, endpoint_id from delivery where state = 1 and lease_until < now() order by lease_until limit $1',
      [batchMax],
    );
    if (expired.length === 0) return false;
    await lockLanes(
      tx,
      expired.map(({ endpoint_id }) => endpoint_id),
    );
    await tx.sql(
      `with given as (
         update delivery set state = 0, lease_owner = null, lease_until = null
          where (endpoint_id, id) in (select * from unnest($1::text[], $2::text[]))
            and state = 1 and lease_until < now()
         returning endpoint_id
       ), counted as (
         select endpoint_id, count(*)::smallint as count from given group by endpoint_id
       )
       update lane set inflight = greatest(inflight - counted.count, 0), saturated = false,
              ready_at = greatest(held_until, least(ready_at, now()))
         from counted where lane.endpoint_id = counted.endpoint_id`,
      [expired.map(({ endpoint_id }) => endpoint_id), expired.map(({ id }) => id)],
    );
    return expired.length === batchMax;
  });
}
