import type { Database } from '@gateway/persistence';
import { deliveryState } from '#src/queue/delivery-job.ts';

const batchMax = 500;

/**
 * Removes endpoints of callback URLs whose last delivery has ended, and their queues: each origin a merchant names
 * makes one. An endpoint that its receiver has switched off stays, so that it is not called again. The endpoint is
 * locked before its queue, as where deliveries are added to it; a delivery that was added in between is found when the
 * endpoint is deleted, and keeps it.
 *
 * @returns true when there may be more
 */
export async function removeIdleCallbacks(database: Database): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const idle = await tx.sql<{ id: string }>(
      `select endpoint.id from endpoint join endpoint_queue queue on queue.endpoint_id = endpoint.id
        where endpoint.kind = 'callback' and endpoint.status = 'enabled' and queue.inflight = 0 and ${hasNothingLeft}
        limit $1 for update of endpoint skip locked`,
      [batchMax],
    );
    if (idle.length === 0) return false;
    const queues = await tx.sql<{ endpoint_id: string }>(
      `select endpoint_id from endpoint_queue where endpoint_id = any($1) and inflight = 0 order by endpoint_id for update`,
      [idle.map(({ id }) => id)],
    );
    const removed = await tx.sql<{ id: string }>(
      `delete from endpoint where id = any($1) and ${hasNothingLeft} returning id`,
      [queues.map(({ endpoint_id }) => endpoint_id)],
    );
    await tx.sql('delete from endpoint_queue where endpoint_id = any($1)', [removed.map(({ id }) => id)]);
    return idle.length === batchMax;
  });
}

const hasNothingLeft = `not exists (select from delivery
  where endpoint_id = endpoint.id and state in (${deliveryState.waiting}, ${deliveryState.leased}))`;
