import type { Environment, Provider } from '@gateway/contracts';
import { startLoop, type Logger } from '@gateway/service-kit';

const askIntervalMs = 1_000;

type Switch = Pick<Provider, 'environment' | 'id' | 'enabled'>;

export interface ProviderSwitchesOptions {
  /** Asks deposits, which keeps what operators decide about providers; throws when it does not answer. */
  readonly ask: () => Promise<readonly Switch[]>;
  readonly logger: Logger;
}

/**
 * Which providers operators have switched off (api.md 5), as it was told last. Until it was told once, no live provider
 * is on: one that is switched off must not get a payout because this process has just started.
 */
export class ProviderSwitches implements AsyncDisposable {
  readonly #options: ProviderSwitchesOptions;
  readonly #loop: AsyncDisposable;
  #off: ReadonlySet<string> | undefined;
  #isAnswered = true;

  constructor(options: ProviderSwitchesOptions) {
    this.#options = options;
    this.#loop = startLoop({
      name: 'provider switches',
      intervalMs: askIntervalMs,
      logger: options.logger,
      work: () => this.#ask(),
    });
  }

  get isKnown(): boolean {
    return this.#off !== undefined;
  }

  isOn(environment: Environment, provider: string): boolean {
    return this.#off ? !this.#off.has(`${environment} ${provider}`) : environment === 'test';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop[Symbol.asyncDispose]();
  }

  async #ask(): Promise<void> {
    try {
      const providers = await this.#options.ask();
      this.#off = new Set(
        providers.filter(({ enabled }) => !enabled).map(({ environment, id }) => `${environment} ${id}`),
      );
      this.#isAnswered = true;
    } catch (error) {
      if (this.#isAnswered) this.#options.logger.warn({ err: error }, 'which providers are on is as it was told last');
      this.#isAnswered = false;
    }
  }
}
