import { authenticateKey, getCaller } from '@gateway/contracts';
import { answering, healthRoute, type Readiness, type RpcRoute } from '@gateway/service-kit';
import { authenticateKeyPair, callerOf } from '#src/keys/authenticate-key.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';

/** What other services may ask the gateway. */
export function rpcRoutes(directory: CallerDirectory, readiness: Readiness): RpcRoute[] {
  return [
    answering(authenticateKey, (request) => authenticateKeyPair(directory, request)),
    answering(getCaller, ({ publicKey }) => callerOf(directory, publicKey)),
    healthRoute(readiness, 'api-gateway'),
  ];
}
