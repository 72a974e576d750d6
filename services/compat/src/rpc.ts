import { setIntegration } from '@gateway/contracts/connector';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { setIntegration as answerSetIntegration } from '#src/integrations/set-integration.ts';

export interface RpcDeps {
  readonly database: Database;
  readonly now: () => Date;
}

/** Every question this service answers. */
export function rpcRoutes({ database, now }: RpcDeps): readonly RpcRoute[] {
  return [answering(setIntegration, (request) => answerSetIntegration(database, request, now()))];
}
