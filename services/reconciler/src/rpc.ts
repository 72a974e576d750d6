import type { RpcRoute } from '@gateway/messaging';

/** Every question this service answers, besides those about its health and its dead letters. */
export function rpcRoutes(): readonly RpcRoute[] {
  return [];
}
