import {
  providersFromConfig,
  railOf,
  simulatorConfigs,
  type ProviderConfig,
  type Providers,
  type RailCurrency,
} from '@gateway/providers';
import { startLoop, watchUnreadableAnswers, type Logger } from '@gateway/service-kit';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';

const railCurrencies = Object.keys(railOf) as RailCurrency[];

/** How often a simulator that is still starting is asked for its providers. */
const retryIntervalMs = 1_000;

/**
 * The providers of the live environment, in the order of the configuration. A simulator is asked for them until it
 * answers; until then there are none, and test mode goes on without.
 */
export class LiveRoutes implements AsyncDisposable {
  #routes: readonly PayoutRoute[] = [];
  readonly #now: () => Date;
  readonly #stack = new AsyncDisposableStack();

  constructor(now: () => Date) {
    this.#now = now;
  }

  get routes(): readonly PayoutRoute[] {
    return this.#routes;
  }

  /** Takes them from the configuration, or from a simulator instead, where one is named. */
  load(configs: readonly ProviderConfig[], simulatorUrl: string | undefined, logger: Logger): void {
    if (simulatorUrl === undefined) return this.#connect(configs, logger);
    let loaded = false;
    const work = async (): Promise<void> => {
      if (loaded) return;
      this.#connect(await simulatorConfigs(simulatorUrl), logger);
      loaded = true;
    };
    this.#stack.use(startLoop({ name: 'load providers', intervalMs: retryIntervalMs, logger, work }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  #connect(configs: readonly ProviderConfig[], logger: Logger): void {
    const onUnreadableOf = watchUnreadableAnswers(logger);
    const providers: Providers = this.#stack.use(providersFromConfig(configs, { now: this.#now, onUnreadableOf }));
    this.#routes = configs.flatMap(({ id, callTimeoutMs }) => {
      const provider = providers.find(id);
      if (!provider) return [];
      const currencies = railCurrencies.filter((currency) => provider.capabilities.rails.includes(railOf[currency]));
      return [{ provider, currencies, callTimeoutMs }];
    });
  }
}
