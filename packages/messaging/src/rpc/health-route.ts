import { healthRpc, type ServiceName } from '@gateway/contracts/messages';
import type { Readiness } from '@gateway/runtime';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/**
 * The row of every service's rpc table that tells the gateway's `/health` what `/ready` tells. It is the last one: the
 * server learns of the rows in their order, so whoever finds this one finds all of them.
 */
export function healthRoute(readiness: Readiness, service: ServiceName): RpcRoute {
  return answering(healthRpc(service), () => readiness.report());
}
