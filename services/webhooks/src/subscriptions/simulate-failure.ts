import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  WebhookDisabled,
  WebhookFailing,
  type simulateWebhookFailure as simulateContract,
} from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { emit, type Database } from '@gateway/persistence';
import { findEndpoint, toWebhook } from '#src/endpoints/endpoint.ts';
import { haltQueue } from '#src/queue/queue-table.ts';

/** The first warning of an owner comes after an hour. */
const failingHours = 1;

/**
 * Warns the owner of a webhook of test mode as after an hour of failing calls, or disables it as after 72.
 *
 * @throws NotFoundError; DomainError INVALID_STATE for one that is not enabled
 */
export async function simulateWebhookFailure(
  database: Database,
  request: RequestOf<typeof simulateContract>,
): Promise<ReplyOf<typeof simulateContract>> {
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    if (endpoint.status !== 'enabled') throw new DomainError('INVALID_STATE', `the webhook is ${endpoint.status}`);
    const common = { id: newId('event'), occurredAt: Math.floor(Date.now() / 1_000) };
    if (request.result === 'failing') {
      await emit(tx, WebhookFailing, { ...common, webhook: toWebhook(endpoint), failingHours });
      return { webhook: toWebhook(endpoint) };
    }
    endpoint.status = 'disabled';
    endpoint.disabledReason = 'failing';
    await haltQueue(tx, endpoint.id);
    await emit(tx, WebhookDisabled, { ...common, webhook: toWebhook(endpoint), reason: 'failing' });
    return { webhook: toWebhook(endpoint) };
  });
}
