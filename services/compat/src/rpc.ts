import { setIntegration } from '@gateway/contracts';
import { answering, type Database, type RpcRoute } from '@gateway/service-kit';
import { setIntegration as answerSetIntegration } from '#src/integrations/set-integration.ts';

export interface RpcDeps {
  readonly database: Database;
  readonly now: () => Date;
}

/** Every question this service answers. */
export function rpcRoutes({ database, now }: RpcDeps): readonly RpcRoute[] {
  return [answering(setIntegration, (request) => answerSetIntegration(database, request, now()))];
}
