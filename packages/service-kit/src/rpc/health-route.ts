import { healthRpc, type ServiceName } from '@gateway/contracts';
import type { Readiness } from '#src/http/readiness.ts';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

/** The row of every service's rpc table that tells the gateway's `/health` what `/ready` tells. */
export function healthRoute(readiness: Readiness, service: ServiceName): RpcRoute {
  return answering(healthRpc(service), () => readiness.report());
}
