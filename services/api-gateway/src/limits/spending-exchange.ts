import { randomUUID } from 'node:crypto';
import { keysSpentSchema, keysSpentSignal } from '@gateway/contracts/accounts';
import type { Bus } from '@gateway/messaging';
import { startLoop, type Logger } from '@gateway/runtime';
import type { KeyLimits } from '#src/limits/key-limits.ts';

/** How long one gateway's requests stay unknown to the others. */
const exchangeIntervalMs = 100;
/** Keys in one message, far below the size a message may have. */
const keysPerMessageMax = 2_000;

/**
 * Publishes to the other gateways what keys have spent here, and deducts what they spent elsewhere from their limits. Over
 * any longer time a key gets its rate, however many gateways it calls; at once it may get its burst from each of them
 * for as long as one exchange takes, and pays it back afterwards. A message that is lost is in the key's favour.
 */
export class SpendingExchange implements AsyncDisposable {
  readonly #bus: Bus;
  readonly #limits: KeyLimits;
  readonly #gateway = randomUUID();
  readonly #ending = new AsyncDisposableStack();

  constructor({ bus, limits, logger }: { readonly bus: Bus; readonly limits: KeyLimits; readonly logger: Logger }) {
    this.#bus = bus;
    this.#limits = limits;
    const subscription = bus.connection.subscribe(keysSpentSignal, {
      callback: (error, message) => {
        const spending = error ? undefined : keysSpentSchema.safeParse(message.json()).data;
        if (!spending || spending.gateway === this.#gateway) return;
        for (const { publicKey, count, limit } of spending.spent) {
          limits.spentElsewhere(publicKey, { count, limit, now: performance.now() });
        }
      },
    });
    this.#ending.defer(() => subscription.unsubscribe());
    this.#ending.use(
      startLoop({
        name: 'exchange spending of keys',
        intervalMs: exchangeIntervalMs,
        logger,
        work: async () => this.#publish(),
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ending.disposeAsync();
  }

  #publish(): void {
    const spent = this.#limits.drainSpent();
    for (let start = 0; start < spent.length; start += keysPerMessageMax) {
      const message = { gateway: this.#gateway, spent: spent.slice(start, start + keysPerMessageMax) };
      this.#bus.connection.publish(keysSpentSignal, JSON.stringify(message));
    }
  }
}
