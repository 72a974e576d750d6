import { join, resolve } from 'node:path';

import { repository } from '#src/stack/gateway-services.ts';

/** The state directory: `GATEWAY_HOME`, else `.gateway` in the repository. */
export function gatewayHome(): string {
  return process.env.GATEWAY_HOME ? resolve(process.env.GATEWAY_HOME) : join(repository, '.gateway');
}
