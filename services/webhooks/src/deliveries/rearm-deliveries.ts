import type { Tx } from '@gateway/service-kit';
import { lockLanes } from '#src/queue/lock-lanes.ts';

const lifetime = '24 hours';

/**
 * Makes deliveries of one endpoint due now, with a day and a schedule of their own. Asking for it is reason enough to
 * try a receiver that was being left alone. Those under way stay as they are.
 */
export async function rearmDeliveries(tx: Tx, endpointId: string, ids: readonly string[]): Promise<void> {
  await tx.sql(
    `insert into lane (endpoint_id, owner, ready_at)
     select id, environment || ' ' || account_id, 'infinity' from endpoint where id = $1
     on conflict (endpoint_id) do nothing`,
    [endpointId],
  );
  await lockLanes(tx, [endpointId]);
  await tx.sql(
    `update delivery set state = 0, due_at = now(), expires_at = now() + $3::interval, attempts_before = attempts
      where endpoint_id = $1 and id = any($2) and state <> 1`,
    [endpointId, ids, lifetime],
  );
  await tx.sql(`update lane set ready_at = now(), held_until = least(held_until, now()) where endpoint_id = $1`, [
    endpointId,
  ]);
}
