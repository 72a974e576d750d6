import {
  providersFromConfig,
  type ProviderConfig,
  type Providers,
  type ProvidersOptions,
} from '#src/providers-from-config.ts';
import { simulatorConfigs } from '#src/simulator/simulator-configs.ts';

/** A service's configuration of the providers of the live environment. */
export interface LiveProvidersConfig {
  readonly PROVIDERS: readonly ProviderConfig[];
  /** A simulator whose providers are live instead of PROVIDERS; for development. */
  readonly SIMULATOR_URL?: string | undefined;
}

export interface LiveProvidersOptions extends ProvidersOptions {
  /** Repeats what a simulator that is still starting does not answer. */
  readonly untilReachable: <T>(connect: () => Promise<T>) => Promise<T>;
}

/**
 * The providers of the live environment, the same for every service that has to do with them: those that are configured,
 * or the simulator's where one is named.
 */
export async function connectLiveProviders(
  { PROVIDERS, SIMULATOR_URL }: LiveProvidersConfig,
  { untilReachable, ...options }: LiveProvidersOptions,
): Promise<Providers> {
  if (SIMULATOR_URL === undefined) return providersFromConfig(PROVIDERS, options);
  return providersFromConfig(await untilReachable(() => simulatorConfigs(SIMULATOR_URL)), options);
}
