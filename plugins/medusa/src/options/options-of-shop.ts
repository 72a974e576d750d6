import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import type { ConfigModule, MedusaContainer } from '@medusajs/framework/types';
import type { GatewayOptions } from './options.ts';

const ownName = '@gateway/medusa/providers/gateway';

interface RegisteredProvider {
  readonly resolve?: unknown;
  readonly options?: GatewayOptions;
}

/** The options of each registration of this provider in the shop's `medusa-config`. */
export function gatewayOptionsOf(container: MedusaContainer): GatewayOptions[] {
  const { modules = {} }: ConfigModule = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE);
  const payment = modules[Modules.PAYMENT] as { options?: { providers?: readonly RegisteredProvider[] } } | undefined;
  const providers = payment?.options?.providers ?? [];
  return providers.flatMap(({ resolve, options }) => (resolve === ownName && options !== undefined ? [options] : []));
}
