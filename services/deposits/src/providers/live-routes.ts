import { providersFromConfig, simulatorConfigs, type Providers } from '@gateway/providers';
import { untilReachable, watchUnreadableAnswers, type Logger } from '@gateway/service-kit';
import type { Config } from '#src/config.ts';
import type { ProviderSettings } from '#src/providers/provider-settings.ts';
import type { ChargeRoute } from '#src/providers/charge-routes.ts';

/** The configured providers, or those of the simulator where one is named. */
export async function connectLiveProviders(config: Config, logger: Logger, signal: AbortSignal): Promise<Providers> {
  const { PROVIDERS, SIMULATOR_URL } = config;
  const connect = () => (SIMULATOR_URL === undefined ? Promise.resolve(PROVIDERS) : simulatorConfigs(SIMULATOR_URL));
  const configs = await untilReachable({ what: 'the provider simulator', logger, signal, connect });
  return providersFromConfig(configs, {
    now: () => new Date(),
    onUnreadableOf: watchUnreadableAnswers(logger),
  });
}

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
