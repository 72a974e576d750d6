import type { ReplyOf, RequestOf, deleteWebhook as contract } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';

/**
 * Ends an endpoint: nothing more is recorded for it, and what waits is not sent any more. A call that is on its way
 * comes to its end. @throws NotFoundError
 */
export async function deleteWebhook(
  database: Database,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    tx.em.remove(endpoint);
    await tx.em.flush();
    await tx.sql('update lane set halted = true, abandoned = true where endpoint_id = $1', [request.id]);
    return {};
  });
}
