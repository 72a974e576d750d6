import { ValidationError, type ReplyOf, type RequestOf, type listDeliveries as contract } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import {
  deliveryColumns,
  deliverySource,
  statesOf,
  toDelivery,
  type DeliveryRow,
} from '#src/deliveries/delivery-row.ts';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';

/**
 * A page of one endpoint's delivery log, newest first.
 *
 * @throws NotFoundError for an unknown endpoint; ValidationError naming `cursor` when it is no delivery of it
 */
export async function listDeliveries(
  database: Database,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { webhookId, limit, cursor, status, event, dataId } = request;
  await findEndpoint(database.reader(), { ...request, id: webhookId });
  if (cursor !== undefined) await checkCursor(database, webhookId, cursor);

  const params: unknown[] = [webhookId, limit + 1];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = [
    ...(cursor === undefined ? [] : [`d.id < ${bind(cursor)}`]),
    ...(status === undefined ? [] : [`d.state = any(${bind(statesOf[status])})`]),
    ...(event === undefined ? [] : [`d.event = ${bind(event)}`]),
    ...(dataId === undefined ? [] : [`d.data_id = ${bind(dataId)}`]),
  ];
  const rows = await database.query<DeliveryRow>(
    `select ${deliveryColumns} from ${deliverySource}
      where d.endpoint_id = $1 ${conditions.map((condition) => `and ${condition}`).join(' ')}
      order by d.id desc limit $2`,
    params,
  );
  const page = rows.slice(0, limit);
  return { deliveries: page.map(toDelivery), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

async function checkCursor(database: Database, webhookId: string, cursor: string): Promise<void> {
  const [known] = await database.query('select 1 from delivery where endpoint_id = $1 and id = $2', [
    webhookId,
    cursor,
  ]);
  if (!known) throw new ValidationError([{ path: 'cursor', message: 'is not the id of a delivery of this webhook' }]);
}
