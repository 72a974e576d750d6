import { sandboxProvider, type Providers } from '@gateway/providers';
import type { ProviderSettings } from '#src/routing/provider-settings.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';

export function liveRoutesOf(providers: Providers, settings: ProviderSettings): ChargeRoute[] {
  return [...providers].map((provider) => ({
    provider,
    offline: false,
    paymentMethods: provider.capabilities.rails,
    weight: () => settings.of('live', provider.id).weight,
    isEnabled: () => settings.of('live', provider.id).enabled,
    isHealthy: () => provider.circuit !== 'open',
  }));
}

/** Test mode never touches a payment provider (spec 5.3). */
export function sandboxRoute(now: () => Date, settings: ProviderSettings): ChargeRoute {
  const provider = sandboxProvider({ now });
  return {
    provider,
    offline: true,
    paymentMethods: ['PIX', 'SPEI'],
    weight: () => settings.of('test', provider.id).weight,
    isEnabled: () => settings.of('test', provider.id).enabled,
    isHealthy: () => true,
  };
}
