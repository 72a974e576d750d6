import {
  DomainError,
  NotFoundError,
  type ReplyOf,
  type RequestOf,
  type redeliver as contract,
} from '@gateway/contracts';
import type { Database, Tx } from '@gateway/service-kit';
import { deliveryColumns, deliverySource, toDelivery, type DeliveryRow } from '#src/deliveries/delivery-row.ts';
import { rearmDeliveries } from '#src/deliveries/rearm-deliveries.ts';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';

export interface RedeliverDeps {
  readonly database: Database;
  readonly onDue: () => void;
}

/**
 * Sends a delivery again now, whatever became of it and whenever it was due, with a schedule of its own from here. One
 * that is under way is left to come to its end.
 *
 * @throws NotFoundError; DomainError INVALID_STATE when the endpoint is disabled or the body is no longer kept
 */
export async function redeliver(
  { database, onDue }: RedeliverDeps,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, { ...request, id: request.webhookId });
    if (endpoint.status === 'disabled') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
    const found = await findDelivery(tx, request);
    if (!found.body_kept) throw new DomainError('INVALID_STATE', 'the body of the delivery is no longer kept');
    await rearmDeliveries(tx, endpoint.id, [request.id]);
    tx.afterCommit(onDue);
    return { delivery: toDelivery(await findDelivery(tx, request)) };
  });
}

interface Found extends DeliveryRow {
  readonly body_kept: boolean;
}

async function findDelivery(tx: Tx, { id, webhookId }: RequestOf<typeof contract>): Promise<Found> {
  const [row] = await tx.sql<Found>(
    `select ${deliveryColumns}, exists (
        select from event where event.id = d.event_id and event.format = d.format and event.created_at = d.created_at
      ) as body_kept
       from ${deliverySource} where d.id = $1 and d.endpoint_id = $2`,
    [id, webhookId],
  );
  if (!row) throw new NotFoundError('delivery');
  return row;
}
