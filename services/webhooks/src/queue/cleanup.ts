import type { Database } from '@gateway/persistence';
import { deliveryState } from '#src/queue/delivery-job.ts';
import { lockQueues } from '#src/queue/queue-table.ts';

const abandonedBatchMax = 5_000;
const expiredPerQueueMax = 1_000;

/**
 * Fails the deliveries that wait for removed endpoints, a batch at a time, then removes their queues.
 *
 * @returns true when there is more to clear
 */
export async function clearAbandoned(database: Database): Promise<boolean> {
  const [queue] = await database.query<{ endpoint_id: string }>(
    `select endpoint_id from endpoint_queue where abandoned and inflight = 0 limit 1`,
  );
  if (!queue) return false;
  await database.transaction(async (tx) => {
    await lockQueues(tx, [queue.endpoint_id]);
    const cleared = await tx.sql(
      `update delivery set state = ${deliveryState.failed}, error = 'endpoint_deleted'
        where endpoint_id = $1 and id in (
          select id from delivery where endpoint_id = $1 and state = ${deliveryState.waiting} limit $2)
       returning 1`,
      [queue.endpoint_id, abandonedBatchMax],
    );
    if (cleared.length < abandonedBatchMax) {
      await tx.sql('delete from endpoint_queue where endpoint_id = $1', [queue.endpoint_id]);
    }
  });
  return true;
}

/**
 * Fails deliveries that have expired in queues nothing is claimed from: paused, disabled, or with an open breaker. In all
 * others the next claim finds them. First attempts are due from their creation, so that their age is in the index.
 *
 * @returns true when a queue may have more
 */
export async function expireWaiting(database: Database): Promise<boolean> {
  const expired = await database.query<{ most: number }>(
    `with expired as (
       update delivery set state = ${deliveryState.failed}, error = 'expired'
        where state = ${deliveryState.waiting} and (endpoint_id, id) in (
          select queue.endpoint_id, due.id from endpoint_queue queue cross join lateral (
            (select d.id from delivery d
              where d.endpoint_id = queue.endpoint_id and d.state = ${deliveryState.waiting} and d.attempts = 0
                and d.due_at <= now() - interval '24 hours' and d.expires_at <= now() order by d.due_at limit $1)
            union all
            (select d.id from delivery d
              where d.endpoint_id = queue.endpoint_id and d.state = ${deliveryState.waiting} and d.attempts > 0
                and d.expires_at <= now() order by d.due_at limit $1)
          ) due where queue.halted or queue.breaker = 'open')
       returning endpoint_id
     )
     select count(*)::integer as most from expired group by endpoint_id order by 1 desc limit 1`,
    [expiredPerQueueMax],
  );
  return (expired[0]?.most ?? 0) >= expiredPerQueueMax;
}
