import type { Logger } from '@gateway/runtime';
import type { EarlyListener } from '@gateway/runtime/http';
import { describeApi } from '#src/http/api-description.ts';
import { registerApiDocumentation } from '#src/http/api-documentation.ts';
import { operatorDoor } from '#src/http/described-apis.ts';
import { createDoor, type Door } from '#src/http/listener.ts';
import { registerEndpoints, type DoorServices } from '#src/http/endpoint.ts';
import type { OperatorServices } from '#src/operator/operator-endpoint.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import type { TokenGuard } from '#src/operator/authentication/token-guard.ts';

export interface OperatorDoorOptions {
  readonly early: EarlyListener;
  readonly guard: TokenGuard;
  readonly services: DoorServices<OperatorServices>;
  readonly logger: Logger;
}

/** The operators' door, on a listener of its own. */
export function createOperatorDoor({ early, guard, services, logger }: OperatorDoorOptions): Door {
  const door = createDoor({ early, logger, trustedProxies: [] });
  // The address operators come by is theirs to know: the description names the one it is read from.
  const description = describeApi(door.app, operatorDoor, '/');
  registerApiDocumentation(door.app, { title: operatorDoor.title, description });
  void door.app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request) => {
      request.operator = await guard.authenticate(request.headers.authorization, request.ip);
    });
    registerEndpoints<OperatorServices>(scope, operatorRoutes, { who: ({ operator }) => ({ operator }), services });
    done();
  });
  return door;
}
