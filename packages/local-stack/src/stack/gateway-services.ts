import { join } from 'node:path';

import { CORE_TIER, EDGE_TIER, WORK_TIER } from '#src/processes/tiers.ts';
import type { Service, StackAddresses } from '#src/stack/service.ts';

export const REPOSITORY = join(import.meta.dirname, '../../../..');

/**
 * Of services on the path of every record: V8's own default. With 2 MB a third of their CPU time under load was garbage
 * collection. What loading the code fills of it is given back at the end of the start.
 */
const BUSY_SEMI_SPACE_MB = 16;

/** The product: six services and the provider simulator. */
export const gatewayServices: readonly Service[] = [
  {
    // A developer's machine asks nobody for rates, unless it is told whom.
    ...service('ledger', CORE_TIER, () => ({ RATE_SOURCE: process.env.RATE_SOURCE ?? 'fixed' })),
    semiSpaceMb: BUSY_SEMI_SPACE_MB,
  },
  service('psp-simulator', CORE_TIER, (stack) => ({ PORT: String(stack.simulatorPort) })),
  {
    ...service('deposits', WORK_TIER, (stack) => ({
      SIMULATOR_URL: stack.simulatorUrl,
      PUBLIC_URL: stack.publicUrl,
      PROVIDERS_CALLBACK_URL: stack.publicUrl,
    })),
    semiSpaceMb: BUSY_SEMI_SPACE_MB,
  },
  {
    ...service('payouts', WORK_TIER, (stack) => ({ SIMULATOR_URL: stack.simulatorUrl })),
    semiSpaceMb: BUSY_SEMI_SPACE_MB,
  },
  {
    ...service('webhooks', WORK_TIER, () => ({
      // On a developer's machine the receiver is usually http://localhost.
      WEBHOOK_ALLOW_INSECURE_TARGETS: process.env.WEBHOOK_ALLOW_INSECURE_TARGETS ?? 'true',
    })),
    semiSpaceMb: BUSY_SEMI_SPACE_MB,
  },
  service('compat', EDGE_TIER, (stack) => ({ HOST: stack.compatHost, PORT: String(stack.compatPort) })),
  {
    ...service('api-gateway', EDGE_TIER, (stack) => ({
      PORT: String(stack.publicPort),
      PUBLIC_URL: stack.publicUrl,
      OPS_PORT: String(stack.opsPort),
      OPS_OPERATORS: JSON.stringify(stack.operators),
      COMPAT_URL: stack.compatUrl,
      SIMULATOR_URL: stack.simulatorUrl,
    })),
    semiSpaceMb: BUSY_SEMI_SPACE_MB,
  },
];

function service(name: string, tier: number, environment: (stack: StackAddresses) => Record<string, string>): Service {
  return { name, script: join(REPOSITORY, 'services', name, 'src/main.ts'), tier, environment };
}
