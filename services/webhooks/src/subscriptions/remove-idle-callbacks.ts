import type { Database } from '@gateway/service-kit';

const batchMax = 500;

/**
 * Removes endpoints of callback URLs whose last delivery has ended, and their lanes: each origin a merchant names makes
 * one. One that its receiver has switched off stays, so that it is not called again. The endpoint is locked first, as by whoever adds deliveries to it, then its lane; what was added meanwhile is seen
 * by the second look, and keeps the endpoint.
 *
 * @returns true when there may be more
 */
export async function removeIdleCallbacks(database: Database): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const idle = await tx.sql<{ id: string }>(
      `select endpoint.id from endpoint join lane on lane.endpoint_id = endpoint.id
        where endpoint.kind = 'callback' and endpoint.status = 'enabled' and lane.inflight = 0 and ${hasNothingLeft}
        limit $1 for update of endpoint skip locked`,
      [batchMax],
    );
    if (idle.length === 0) return false;
    const lanes = await tx.sql<{ endpoint_id: string }>(
      `select endpoint_id from lane where endpoint_id = any($1) and inflight = 0 order by endpoint_id for update`,
      [idle.map(({ id }) => id)],
    );
    const removed = await tx.sql<{ id: string }>(
      `delete from endpoint where id = any($1) and ${hasNothingLeft} returning id`,
      [lanes.map(({ endpoint_id }) => endpoint_id)],
    );
    await tx.sql('delete from lane where endpoint_id = any($1)', [removed.map(({ id }) => id)]);
    return idle.length === batchMax;
  });
}

const hasNothingLeft = 'not exists (select from delivery where endpoint_id = endpoint.id and state in (0, 1))';
