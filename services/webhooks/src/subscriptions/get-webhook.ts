import type { ReplyOf, RequestOf, getWebhook as contract } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import { toWebhook } from '#src/endpoints/endpoint.ts';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';

/** @throws NotFoundError */
export async function getWebhook(
  database: Database,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { webhook: toWebhook(await findEndpoint(database.reader(), request)) };
}
