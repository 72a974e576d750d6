import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, headers as createHeaders, type NatsConnection, type Subscription } from '@nats-io/nats-core';
import { ledgerCommandSubject, type LedgerCommand, type LedgerResult } from '@gateway/contracts';
import type { LoadResult } from '../load/load-job.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import { summariseLatencies } from './latencies.ts';

/** Unanswered commands of the closed loop: enough that the writer never waits for work. */
const inFlightMax = 3_000;
const answerTimeoutMs = 30_000;
const tickMs = 1;
/** Made before the clock starts, so that making commands takes nothing from those who are measured. */
const preparedPerSecond = 20_000;
const subject = ledgerCommandSubject('test', 0);

interface PreparedCommand {
  readonly id: string;
  readonly text: string;
}

/** Sends commands through JetStream as senders of the product do: stored in the stream, answered to an inbox. */
export class CommandSender implements AsyncDisposable {
  readonly #nats: NatsConnection;
  readonly #inbox = createInbox();
  readonly #subscription: Subscription;
  readonly #headers = createHeaders();
  readonly #sentAtMs = new Map<string, number>();
  #latenciesMs: number[] = [];
  #failures: Record<string, number> = {};
  #onAnswer: () => void = () => undefined;

  constructor(nats: NatsConnection) {
    this.#nats = nats;
    this.#headers.set('Gateway-Reply-To', this.#inbox);
    this.#subscription = nats.subscribe(this.#inbox, {
      callback: (_error, message) => this.#receive(message.string()),
    });
  }

  /** As many commands as the ledger can take. */
  async closedLoop(nextCommand: () => LedgerCommand, durationMs: number): Promise<LoadResult> {
    const take = prepare(nextCommand, (preparedPerSecond * durationMs) / 1_000);
    const startedAtMs = this.#reset();
    const goesOn = () => monotonicMs() - startedAtMs < durationMs;
    this.#onAnswer = () => {
      if (goesOn()) this.#send(take(), monotonicMs());
    };
    for (let sent = 0; sent < inFlightMax; sent++) this.#send(take(), monotonicMs());
    return await this.#result(startedAtMs, goesOn);
  }

  /** A fixed rate, whatever the answers do; latency counts from when a command should have been sent. */
  async openLoop(nextCommand: () => LedgerCommand, durationMs: number, ratePerSecond: number): Promise<LoadResult> {
    const total = Math.floor((durationMs * ratePerSecond) / 1_000);
    const take = prepare(nextCommand, total);
    const startedAtMs = this.#reset();
    this.#onAnswer = () => undefined;
    for (let sent = 0; sent < total;) {
      const dueMs = startedAtMs + (sent * 1_000) / ratePerSecond;
      if (monotonicMs() >= dueMs) {
        this.#send(take(), dueMs);
        sent++;
      } else await delay(tickMs);
    }
    return await this.#result(startedAtMs, () => false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#subscription.drain();
  }

  #reset(): number {
    this.#latenciesMs = [];
    this.#failures = {};
    return monotonicMs();
  }

  #send({ id, text }: PreparedCommand, countsFromMs: number): void {
    this.#sentAtMs.set(id, countsFromMs);
    this.#nats.publish(subject, text, { headers: this.#headers });
  }

  #receive(text: string): void {
    const { commandId, outcome, replayed } = JSON.parse(text) as LedgerResult;
    const sentAtMs = this.#sentAtMs.get(commandId);
    if (sentAtMs === undefined) return this.#fail('answered twice');
    this.#sentAtMs.delete(commandId);
    if (outcome === 'applied' && !replayed) this.#latenciesMs.push(monotonicMs() - sentAtMs);
    else this.#fail(outcome);
    this.#onAnswer();
  }

  #fail(what: string): void {
    this.#failures[what] = (this.#failures[what] ?? 0) + 1;
  }

  /** Until everything sent is answered. */
  async #result(startedAtMs: number, goesOn: () => boolean): Promise<LoadResult> {
    while (goesOn()) await delay(10);
    const sentAllAtMs = monotonicMs();
    while (this.#sentAtMs.size > 0 && monotonicMs() - sentAllAtMs < answerTimeoutMs) await delay(tickMs);
    this.#sentAtMs.forEach(() => this.#fail('unanswered'));
    this.#sentAtMs.clear();
    return summariseLatencies(this.#latenciesMs, monotonicMs() - startedAtMs, this.#failures);
  }
}

function prepare(nextCommand: () => LedgerCommand, count: number): () => PreparedCommand {
  const make = (): PreparedCommand => {
    const command = nextCommand();
    return { id: command.id, text: JSON.stringify(command) };
  };
  const prepared = Array.from({ length: Math.ceil(count) }, make);
  let next = 0;
  return () => prepared[next++] ?? make();
}
