import type { Database } from '@gateway/service-kit';
import { lockLanes } from '#src/queue/lock-lanes.ts';

const batchMax = 5_000;

/**
 * Ends what still waits for endpoints that are gone, a batch at a time, then forgets their lanes.
 *
 * @returns true when there is more to clear
 */
export async function clearAbandoned(database: Database): Promise<boolean> {
  const [lane] = await database.query<{ endpoint_id: string }>(
    `select endpoint_id from lane where abandoned and inflight = 0 limit 1`,
  );
  if (!lane) return false;
  await database.transaction(async (tx) => {
    await lockLanes(tx, [lane.endpoint_id]);
    const cleared = await tx.sql(
      `update delivery set state = 3, error = 'endpoint_deleted' where endpoint_id = $1 and id in (
         select id from delivery where endpoint_id = $1 and state = 0 limit $2)
       returning 1`,
      [lane.endpoint_id, batchMax],
    );
    if (cleared.length < batchMax) await tx.sql('delete from lane where endpoint_id = $1', [lane.endpoint_id]);
  });
  return true;
}
