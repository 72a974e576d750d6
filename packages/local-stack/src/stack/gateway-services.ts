import { join } from 'node:path';

import { coreTier, edgeTier, workTier } from '#src/processes/tiers.ts';
import type { Service, StackAddresses } from '#src/stack/service.ts';

export const repository = join(import.meta.dirname, '../../../..');

/**
 * Of services on the path of every record: V8's own default. With 2 MB a third of their CPU time under load was garbage
 * collection. What loading the code fills of it is given back at the end of the start.
 */
const busySemiSpaceMb = 16;

/** The product: six services and the provider simulator. */
export const gatewayServices: readonly Service[] = [
  {
    // A developer's machine asks nobody for rates, unless it is told whom.
    ...service('ledger', coreTier, () => ({
      RATE_SOURCE: process.env.RATE_SOURCE ?? 'fixed',
      // Those of the simulator; the Pix API alone has no balance.
      LEDGER_PROVIDERS: process.env.LEDGER_PROVIDERS ?? 'bacen=uncompared,efi,spei,woovi',
    })),
    semiSpaceMb: busySemiSpaceMb,
  },
  service('psp-simulator', coreTier, (stack) => ({ PORT: String(stack.simulatorPort) })),
  {
    ...service('deposits', workTier, (stack) => ({
      SIMULATOR_URL: stack.simulatorUrl,
      PUBLIC_URL: stack.publicUrl,
      PROVIDERS_CALLBACK_URL: stack.publicUrl,
    })),
    semiSpaceMb: busySemiSpaceMb,
  },
  {
    ...service('payouts', workTier, (stack) => ({ SIMULATOR_URL: stack.simulatorUrl })),
    semiSpaceMb: busySemiSpaceMb,
  },
  {
    ...service('webhooks', workTier, () => ({
      // On a developer's machine the receiver is usually http://localhost.
      WEBHOOK_ALLOW_INSECURE_TARGETS: process.env.WEBHOOK_ALLOW_INSECURE_TARGETS ?? 'true',
    })),
    semiSpaceMb: busySemiSpaceMb,
  },
  service('compat', edgeTier, (stack) => ({ PORT: String(stack.compatPort) })),
  {
    ...service('api-gateway', edgeTier, (stack) => ({
      HOST: stack.host,
      PORT: String(stack.publicPort),
      PUBLIC_URL: stack.publicUrl,
      OPS_HOST: stack.opsHost,
      OPS_PORT: String(stack.opsPort),
      OPS_OPERATORS: JSON.stringify(stack.operators),
      COMPAT_URL: stack.compatUrl,
      SIMULATOR_URL: stack.simulatorUrl,
      DEV_LOGIN: String(stack.isLocal),
    })),
    semiSpaceMb: busySemiSpaceMb,
    wholeUrl: (stack) => `${stack.baseUrl}/health`,
  },
];

function service(name: string, tier: number, environment: (stack: StackAddresses) => Record<string, string>): Service {
  return { name, script: join(repository, 'services', name, 'src/main.ts'), tier, environment };
}
