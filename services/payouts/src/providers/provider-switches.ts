import type { Provider } from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import { type Logger, type Loop, startLoop } from '@gateway/runtime';

/** Until deposits has answered, and while it does not. */
const askIntervalMs = 1_000;
/** Should the signal that something has changed be lost. */
const askAtRestIntervalMs = 10_000;

type ProviderSwitch = Pick<Provider, 'environment' | 'id' | 'enabled'> & Partial<Pick<Provider, 'weight' | 'balances'>>;

const weightDefault = 1;

export interface ProviderSwitchesOptions {
  /** Asks deposits, which keeps what operators decide about providers; throws when it does not answer. */
  readonly ask: () => Promise<readonly ProviderSwitch[]>;
  readonly logger: Logger;
}

/**
 * Which providers operators have switched off (api.md 5), their weights and what they hold, as it was reported last. Until it
 * was reported once, no live provider is on: one that is switched off must not get a payout because this process has just
 * started. A switch takes effect with the answer to `askAgain`, which a signal causes, and within `askAtRestIntervalMs` and
 * one answer if that was lost: what is sent until then still goes to it.
 */
export class ProviderSwitches implements AsyncDisposable {
  readonly #options: ProviderSwitchesOptions;
  readonly #loop: Loop;
  #reported: ReadonlyMap<string, ProviderSwitch> | undefined;
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
    return this.#reported !== undefined;
  }

  /** Before it is known which live providers may be used, live payouts are answered PROVIDER_UNAVAILABLE. */
  requireKnown(): void {
    if (!this.isKnown) throw new Error('deposits has not yet answered which providers are on');
  }

  isOn(environment: Environment, provider: string): boolean {
    if (!this.#reported) return environment === 'test';
    return this.#reported.get(`${environment} ${provider}`)?.enabled !== false;
  }

  weightOf(environment: Environment, provider: string): number {
    return this.#reported?.get(`${environment} ${provider}`)?.weight ?? weightDefault;
  }

  /** What a live provider held by the last comparison, in minor units; undefined where it is not known. */
  heldBy(provider: string, currency: Currency): number | undefined {
    const balance = this.#reported?.get(`live ${provider}`)?.balances?.find((each) => each.currency === currency);
    return balance?.held ?? undefined;
  }

  /** To be called when deposits has another answer. */
  askAgain(): void {
    this.#loop.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop[Symbol.asyncDispose]();
  }

  async #ask(): Promise<number> {
    try {
      const providers = await this.#options.ask();
      this.#reported = new Map(providers.map((provider) => [`${provider.environment} ${provider.id}`, provider]));
      this.#isAnswered = true;
    } catch (error) {
      if (this.#isAnswered)
        this.#options.logger.warn({ err: error }, 'which providers are on is as it was reported last');
      this.#isAnswered = false;
    }
    return this.#isAnswered ? askAtRestIntervalMs : askIntervalMs;
  }
}
