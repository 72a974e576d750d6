import { messageLagRpc, type ConsumerLag, type ServiceName } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { countUnpublished } from '#src/rpc/backlog-route.ts';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/** The row of every service's rpc table that says how far its messages are behind. */
export function messageLagRoute(
  database: Database,
  service: ServiceName,
  consumers: () => readonly ConsumerLag[],
): RpcRoute {
  return answering(messageLagRpc(service), async () => ({
    unpublished: await countUnpublished(database),
    consumers: [...consumers()],
  }));
}
