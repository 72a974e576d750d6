import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { getWebhook as getContract, listWebhooks as listContract } from '@gateway/contracts/webhooks';
import { pageOf, type Database } from '@gateway/persistence';
import { Endpoint, findEndpoint, toWebhook } from '#src/endpoints/endpoint.ts';

/** @throws NotFoundError */
export async function getWebhook(
  database: Database,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  return { webhook: toWebhook(await findEndpoint(database.reader(), request)) };
}

/** A page of the account's endpoints, newest first. @throws ValidationError naming `cursor` when it is not one of them */
export async function listWebhooks(
  database: Database,
  { environment, accountId, limit, cursor }: RequestOf<typeof listContract>,
): Promise<ReplyOf<typeof listContract>> {
  const em = database.reader();
  const owned = { environment, accountId, kind: 'registered' as const };
  if (cursor !== undefined && (await em.count(Endpoint, { ...owned, id: cursor })) === 0) {
    throw new ValidationError([{ path: 'cursor', message: 'is not the id of a webhook of this account' }]);
  }
  const found = await em.find(
    Endpoint,
    { ...owned, ...(cursor === undefined ? {} : { id: { $lt: cursor } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const { rows: page, nextCursor } = pageOf(found, limit);
  return { webhooks: page.map(toWebhook), nextCursor };
}
