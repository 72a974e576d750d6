import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { deleteWebhook as deleteContract, updateWebhook as updateContract } from '@gateway/contracts/webhooks';
import type { Database, Tx } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { changeHeaders, requireValuesForOrigin } from '#src/endpoints/custom-headers.ts';
import { findEndpoint, isOther, toWebhook, type Endpoint } from '#src/endpoints/endpoint.ts';
import { checkTarget, type TargetGuard } from '#src/http/target.ts';
import { abandonQueues, haltQueue, limitRate, resumeQueue } from '#src/queue/queue-table.ts';

export interface UpdateWebhookDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly guard: TargetGuard;
  /** Something may be due. */
  readonly onDue: () => void;
}

/**
 * Changes the members that are given. A delivery under way keeps the URL it was claimed with; all later ones use the new
 * one.
 *
 * @throws NotFoundError; ValidationError naming `url` when it may not be called, or a masked header without a value to keep
 */
export async function updateWebhook(
  { database, secretBox, guard, onDue }: UpdateWebhookDeps,
  request: RequestOf<typeof updateContract>,
): Promise<ReplyOf<typeof updateContract>> {
  if (request.url !== undefined) await checkTarget(request.url, guard);
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    const { name, url, events, status, headers, rateLimitPerSecond } = request;
    requireValuesForOrigin(endpoint, url, headers);
    if (name !== undefined) endpoint.name = name;
    if (url !== undefined) endpoint.url = url;
    if (events !== undefined) changeEvents(endpoint, [...new Set(events)]);
    if (headers !== undefined) Object.assign(endpoint, changeHeaders(endpoint, headers, secretBox));
    if (rateLimitPerSecond !== undefined) {
      endpoint.rateLimit = rateLimitPerSecond;
      await limitRate(tx, endpoint.id, rateLimitPerSecond);
    }
    if (status !== undefined && status !== endpoint.status) await changeStatus(tx, endpoint, status);
    if (status === 'enabled') tx.afterCommit(onDue);
    return { webhook: toWebhook(endpoint) };
  });
}

function changeEvents(endpoint: Endpoint, events: Endpoint['events']): void {
  if (isOther(endpoint.events, events)) endpoint.receivesSince = new Date();
  endpoint.events = events;
}

async function changeStatus(tx: Tx, endpoint: Endpoint, status: Endpoint['status']): Promise<void> {
  const wasDisabled = endpoint.status === 'disabled';
  if (wasDisabled) endpoint.receivesSince = new Date();
  endpoint.status = status;
  endpoint.disabledReason = null;
  if (status === 'enabled') await resumeQueue(tx, endpoint.id, { wasDisabled });
  else await haltQueue(tx, endpoint.id);
}

/**
 * Removes an endpoint: nothing more is recorded for it, and its waiting deliveries are not sent. A call under way comes
 * to its end.
 *
 * @throws NotFoundError
 */
export async function deleteWebhook(
  database: Database,
  request: RequestOf<typeof deleteContract>,
): Promise<ReplyOf<typeof deleteContract>> {
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    tx.em.remove(endpoint);
    await tx.em.flush();
    await abandonQueues(tx, [request.id]);
    return {};
  });
}
