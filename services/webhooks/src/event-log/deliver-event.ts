import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { deliverEvent as contract } from '@gateway/contracts/webhooks';
import { deliveryColumns, deliverySource, toDelivery, type DeliveryRow } from '#src/deliveries/read-deliveries.ts';
import { redeliver } from '#src/deliveries/resend-deliveries.ts';
import { requireEndpoint } from '#src/endpoints/endpoint.ts';
import { giveEvents, type GiveDeps } from '#src/event-log/give-events.ts';
import { findEventRow } from '#src/event-log/read-events.ts';

export interface DeliverDeps extends GiveDeps {
  readonly onDue: () => void;
}

/**
 * Sends one event of the log to one endpoint, which may have been registered after it. To an endpoint that was given the
 * event before, it is sent again.
 *
 * @throws NotFoundError for an event or endpoint of another account, and for an event that is no longer kept; DomainError
 *   INVALID_STATE when the endpoint is disabled
 */
export async function deliverEvent(
  deps: DeliverDeps,
  { environment, accountId, id, webhookId }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const owner = { environment, accountId };
  const row = await findEventRow(deps.database, { ...owner, id });
  await requireEndpoint(deps.database, { ...owner, id: webhookId });
  const { added, isOpen } = await giveEvents(deps, { ...owner, id: webhookId }, async () => ({
    rows: [row],
    alongside: async () => undefined,
  }));
  if (!isOpen) throw new DomainError('INVALID_STATE', 'the webhook is disabled');
  const [found] = await deps.database.query<DeliveryRow>(
    `select ${deliveryColumns} from ${deliverySource}
      where d.endpoint_id = $1 and d.data_id = $2 and d.event = $3 and d.event_id = $4`,
    [webhookId, row.data_id, row.name, id],
  );
  if (!found) throw new DomainError('INVALID_STATE', 'the webhook takes no delivery of this event');
  if (added === 0) return await redeliver(deps, { ...owner, webhookId, id: found.id });
  deps.onDue();
  return { delivery: toDelivery(found) };
}
