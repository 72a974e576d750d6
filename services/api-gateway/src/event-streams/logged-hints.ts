import { type EventsLogged, eventsLoggedSchema, eventsLoggedSignal } from '@gateway/contracts/webhooks';
import type { Bus } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';

type OnLogged = (hint: EventsLogged) => void;
/** Who listens to it hears of all accounts. */
export const everyAccount = 'every account';

/** Wakes streams when the log of their account has grown. While there is no stream, nothing is listened for. */
export class LoggedHints {
  readonly #bus: Bus;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<OnLogged>>();
  #subscription: { unsubscribe(): void } | undefined;

  constructor(bus: Bus, logger: Logger) {
    this.#bus = bus;
    this.#logger = logger;
  }

  /** @param account as `accountOf` names it, or `everyAccount`. @returns what ends it */
  listen(account: string, onLogged: OnLogged): () => void {
    this.#subscription ??= this.#subscribe();
    const listeners = this.#listeners.get(account) ?? new Set();
    this.#listeners.set(account, listeners.add(onLogged));
    return () => {
      listeners.delete(onLogged);
      if (listeners.size > 0 || this.#listeners.get(account) !== listeners) return;
      this.#listeners.delete(account);
      if (this.#listeners.size > 0) return;
      this.#subscription?.unsubscribe();
      this.#subscription = undefined;
    };
  }

  #subscribe() {
    return this.#bus.connection.subscribe(eventsLoggedSignal, {
      callback: (error, message) => {
        const hint = error ? undefined : eventsLoggedSchema.safeParse(message.json()).data;
        if (!hint) return this.#logger.warn({ err: error }, 'a hint about the event log was not understood');
        for (const heard of [accountOf(hint), everyAccount]) {
          for (const onLogged of this.#listeners.get(heard) ?? []) onLogged(hint);
        }
      },
    });
  }
}

/** An account in its environment, as one text. */
export function accountOf(owner: { readonly environment: string; readonly accountId: string }): string {
  return `${owner.environment} ${owner.accountId}`;
}
