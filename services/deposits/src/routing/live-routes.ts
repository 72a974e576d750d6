import type { Environment } from '@gateway/contracts/values';
import { type ConnectedProvider, type PaymentProvider, type Providers, sandboxProvider } from '@gateway/providers';
import type { ChargeRoute, ChargeRoutes } from '#src/routing/charge-routes.ts';
import type { ProviderSettings } from '#src/routing/provider-settings.ts';

/** Test mode never touches a payment provider (spec 5.3): its own is the sandbox. */
export function chargeRoutesOf(providers: Providers, settings: ProviderSettings, now: () => Date): ChargeRoutes {
  return {
    live: [...providers].map((provider) => routeTo(provider, 'live', settings)),
    test: [routeTo(sandboxProvider({ now }), 'test', settings)],
  };
}

/** Only an adapter on the wire has a circuit. */
function routeTo(
  provider: PaymentProvider & Partial<Pick<ConnectedProvider, 'circuit'>>,
  environment: Environment,
  settings: ProviderSettings,
): ChargeRoute {
  return {
    provider,
    weight: () => settings.of(environment, provider.id).weight,
    isEnabled: () => settings.of(environment, provider.id).enabled,
    isHealthy: () => provider.circuit !== 'open',
  };
}
