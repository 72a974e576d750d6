import { healthRpc, type ServiceName } from '@gateway/contracts/messages';
import type { Readiness } from '@gateway/runtime';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/**
 * The row of every service's rpc table that gives the gateway's `/health` the state of `/ready`. It is the last one:
 * the server learns of the rows in order, so a caller that reaches this one can reach all of them.
 */
export function healthRoute(readiness: Readiness, service: ServiceName): RpcRoute {
  return answering(healthRpc(service), () => readiness.report());
}
