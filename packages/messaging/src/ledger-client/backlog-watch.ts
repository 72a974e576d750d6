import type { Subscription } from '@nats-io/nats-core';
import { DomainError } from '@gateway/contracts/errors';
import { backlogSchema, backlogSignals } from '@gateway/contracts/messages';
import type { Bus } from '#src/bus/bus.ts';

interface KnownBacklog {
  readonly waitMs: number;
  readonly untilMs: number;
}

/** Listens to receivers that cannot keep up, so that a sender can say so at once instead of queueing behind. */
export class BacklogWatch implements AsyncDisposable {
  readonly #known = new Map<string, KnownBacklog>();
  readonly #subscription: Subscription;

  constructor(bus: Bus) {
    this.#subscription = bus.connection.subscribe(backlogSignals, {
      callback: (error, message) => {
        const backlog = error ? undefined : backlogSchema.safeParse(message.json()).data;
        if (!backlog) return;
        this.#known.set(message.subject, { waitMs: backlog.waitMs, untilMs: performance.now() + backlog.validForMs });
      },
    });
  }

  /** @throws DomainError SERVICE_UNAVAILABLE with the time to come back, while the receiver says it is behind */
  refuseIfBehind(signal: string, owner: string): void {
    const known = this.#known.get(signal);
    if (!known) return;
    if (performance.now() >= known.untilMs) {
      this.#known.delete(signal);
      return;
    }
    throw new DomainError('SERVICE_UNAVAILABLE', `the ${owner} service has too much to do`, {
      retryAfterSec: Math.max(1, Math.ceil(known.waitMs / 1_000)),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#subscription.drain();
  }
}
