import { authenticateKey, getCaller, type Caller } from '@gateway/contracts';
import { answering, healthRoute, type Readiness, type RpcRoute } from '@gateway/service-kit';
import { authenticateKeyPair, callerOf } from '#src/keys/authenticate-key.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';
import { requireAllowed, type KeyLimits } from '#src/limits/key-limits.ts';

/** What other services may ask the gateway. A question about a key is a request of that key, and counts as one. */
export function rpcRoutes(directory: CallerDirectory, limits: KeyLimits, readiness: Readiness): RpcRoute[] {
  const metered = async (identified: Promise<Caller>): Promise<Caller> => {
    const caller = await identified;
    requireAllowed(limits.take(caller, performance.now()));
    return caller;
  };
  return [
    answering(authenticateKey, (request) => metered(authenticateKeyPair(directory, request))),
    answering(getCaller, (request) => metered(callerOf(directory, request))),
    healthRoute(readiness, 'api-gateway'),
  ];
}
