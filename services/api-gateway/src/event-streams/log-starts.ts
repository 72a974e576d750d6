import type { Environment } from '@gateway/contracts/values';
import { getEventLogStart } from '@gateway/contracts/webhooks';
import { callRpc, type Bus } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';

/** It moves by the day, and the call that shows it is made as often as any. */
const askedEveryMs = 60_000;
const askedAgainMs = 1_000;
/** The call that shows it is the one that credentials are tested with: it neither fails nor waits for it. */
const patience = { timeoutMs: 1_000, listenerTimeoutMs: 0 };

interface Known {
  /** Unix seconds; null while it was never answered. */
  readonly since: number | null;
  readonly askAt: number;
}

/** From when on the event log of each environment is whole, as the webhooks service has answered in the last minute. */
export class LogStarts {
  readonly #bus: Bus;
  readonly #logger: Logger;
  readonly #known = new Map<Environment, Known>();
  readonly #asked = new Map<Environment, Promise<number | null>>();

  constructor(bus: Bus, logger: Logger) {
    this.#bus = bus;
    this.#logger = logger;
  }

  /** @returns Unix seconds; null where it could not be read yet */
  async of(environment: Environment): Promise<number | null> {
    const known = this.#known.get(environment);
    if (known && performance.now() < known.askAt) return known.since;
    const asked = this.#asked.get(environment) ?? this.#ask(environment, known?.since ?? null);
    return known?.since ?? asked;
  }

  #ask(environment: Environment, before: number | null): Promise<number | null> {
    const asked = this.#read(environment, before).finally(() => this.#asked.delete(environment));
    this.#asked.set(environment, asked);
    return asked;
  }

  async #read(environment: Environment, before: number | null): Promise<number | null> {
    const answer = await callRpc(this.#bus, getEventLogStart, { environment }, patience).catch((error: unknown) => {
      this.#logger.warn({ err: error, environment }, 'the beginning of the event log could not be read');
      return undefined;
    });
    const since = answer?.since ?? before;
    this.#known.set(environment, { since, askAt: performance.now() + (answer ? askedEveryMs : askedAgainMs) });
    return since;
  }
}
