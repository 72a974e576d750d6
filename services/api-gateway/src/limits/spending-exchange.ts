import { randomUUID } from 'node:crypto';
import { keysSpentSchema, keysSpentSignal } from '@gateway/contracts/accounts';
import type { Bus } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';
import type { KeyLimits } from '#src/limits/key-limits.ts';

/** How long one gateway's requests stay unknown to the others. */
const exchangeIntervalMs = 100;
/** Keys in one message, far below the size a message may have. */
const keysPerMessageMax = 2_000;

/**
 * Publishes to the other gateways what keys have spent here, and deducts what they spent elsewhere from their limits. Over
 * any longer time a key gets its rate, however many gateways it calls; at once it may get its burst from each of them
 * for as long as one exchange takes, and pays it back afterwards. A message that is lost is in the key's favour. Without
 * requests nothing is exchanged, and no timer runs.
 */
export class SpendingExchange implements Disposable {
  readonly #bus: Bus;
  readonly #limits: KeyLimits;
  readonly #gateway = randomUUID();
  readonly #ending = new DisposableStack();
  #timer: NodeJS.Timeout | undefined;

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
    limits.onSpent = () => {
      this.#timer = setTimeout(() => {
        try {
          this.#publish();
        } catch (error) {
          logger.warn({ err: error }, 'what keys have spent here was not published');
        }
      }, exchangeIntervalMs);
    };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#ending.dispose();
  }

  #publish(): void {
    const spent = this.#limits.drainSpent();
    for (let start = 0; start < spent.length; start += keysPerMessageMax) {
      const message = { gateway: this.#gateway, spent: spent.slice(start, start + keysPerMessageMax) };
      this.#bus.connection.publish(keysSpentSignal, JSON.stringify(message));
    }
  }
}
