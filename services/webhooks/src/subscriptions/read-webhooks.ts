import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { getWebhook as getContract, listWebhooks as listContract } from '@gateway/contracts/webhooks';
import { ownedBy, RecordList, type Condition, type Database } from '@gateway/persistence';
import { endpointColumns, findEndpoint, shownMembers, toWebhook, type ShownEndpoint } from '#src/endpoints/endpoint.ts';

/** @throws NotFoundError */
export async function getWebhook(
  database: Database,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  return { webhook: toWebhook(await findEndpoint(database.reader(), request)) };
}

const list = new RecordList<ShownEndpoint>({
  kind: 'webhook',
  from: 'endpoint',
  columns: endpointColumns.selectedFrom('endpoint', shownMembers),
});

/** By the account itself, over the interface. */
const isRegistered: Condition = { sql: `kind = 'registered'`, values: [] };

/** A page of the account's endpoints, newest first. @throws ValidationError naming `cursor` when it is not one of them */
export async function listWebhooks(
  database: Database,
  { environment, accountId, ...page }: RequestOf<typeof listContract>,
): Promise<ReplyOf<typeof listContract>> {
  const owned = [ownedBy({ environment, accountId }), isRegistered];
  const found = await list.page(database, { ...page, owned });
  if (!found) {
    throw new ValidationError([{ path: 'cursor', message: 'is not the id of a webhook of this account' }]);
  }
  return { webhooks: found.rows.map(toWebhook), nextCursor: found.nextCursor };
}
