import { railOf, type Providers, type RailCurrency } from '@gateway/providers';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';
import type { ProviderSwitches } from '#src/providers/provider-switches.ts';

const railCurrencies = Object.keys(railOf) as RailCurrency[];

/** The providers of the live environment, in the order of the configuration. */
export function liveRoutesOf(providers: Providers, switches: ProviderSwitches): readonly PayoutRoute[] {
  return [...providers].map((provider) => ({
    provider,
    currencies: railCurrencies.filter((currency) => provider.capabilities.rails.includes(railOf[currency])),
    callTimeoutMs: providers.callTimeoutMsOf(provider.id),
    isEnabled: () => switches.isOn('live', provider.id),
    weight: () => switches.weightOf('live', provider.id),
    heldIn: (currency) => switches.heldBy(provider.id, currency),
  }));
}
