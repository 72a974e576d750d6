import * as contracts from '@gateway/contracts/connector';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { listIntegrations, removeIntegration, setIntegration } from '#src/integrations/set-integration.ts';

export interface RpcDeps {
  readonly database: Database;
  readonly now: () => Date;
}

/** Every question this service answers. */
export function rpcRoutes({ database, now }: RpcDeps): readonly RpcRoute[] {
  return [
    answering(contracts.setIntegration, (request) => setIntegration(database, request, now())),
    answering(contracts.listIntegrations, (request) => listIntegrations(database, request)),
    answering(contracts.removeIntegration, (request) => removeIntegration(database, request)),
  ];
}
