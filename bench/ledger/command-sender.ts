import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ledgerCommand, type LedgerCommand } from '@gateway/contracts/ledger';
import { type LoadResult, monotonicMs } from '../load/load.ts';
import { summariseLatencies } from './commands.ts';
import { NatsWire } from './nats-wire.ts';

/** Unanswered commands of the closed loop: enough that the writer never waits for work. */
const inFlightMax = 3_000;
const answerTimeoutMs = 30_000;
const tickMs = 1;
/** Made before the clock starts, so that making commands takes nothing from those who are measured. */
const preparedPerSecond = 25_000;
/** How every answer begins, and what it says when the command was carried out now. */
const answerStart = '{"commandId":"';
const appliedNow = ['"outcome":"applied"', '"replayed":false'];

interface PreparedCommand {
  readonly id: string;
  readonly message: Buffer;
}

/** Sends commands through JetStream as senders of the product do: stored in the stream, answered to an inbox. */
export class CommandSender implements AsyncDisposable {
  readonly #wire: NatsWire;
  readonly #inbox: string;
  readonly #sentAtMs = new Map<string, number>();
  #latenciesMs: number[] = [];
  #failures: Record<string, number> = {};
  #onAnswer: () => void = () => undefined;

  private constructor(wire: NatsWire, inbox: string) {
    this.#wire = wire;
    this.#inbox = inbox;
  }

  static async connect(natsUrl: string): Promise<CommandSender> {
    const inbox = `_INBOX.bench.${randomUUID()}`;
    const receive = (answer: string): void => sender.#receive(answer);
    const sender = new CommandSender(await NatsWire.connect(new URL(natsUrl), inbox, receive), inbox);
    return sender;
  }

  /** As many commands as the ledger can take. */
  async closedLoop(nextCommand: () => LedgerCommand, durationMs: number): Promise<LoadResult> {
    const take = this.#prepare(nextCommand, (preparedPerSecond * durationMs) / 1_000);
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
    const take = this.#prepare(nextCommand, total);
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
    await this.#wire[Symbol.asyncDispose]();
  }

  #prepare(nextCommand: () => LedgerCommand, count: number): () => PreparedCommand {
    const header = `Gateway-Reply-To: ${this.#inbox}`;
    const make = (): PreparedCommand => {
      const command = nextCommand();
      return {
        id: command.id,
        message: NatsWire.layOut(ledgerCommand.subjectFor(command), header, JSON.stringify(command)),
      };
    };
    const prepared = Array.from({ length: Math.ceil(count) }, make);
    let next = 0;
    return () => prepared[next++] ?? make();
  }

  #reset(): number {
    this.#latenciesMs = [];
    this.#failures = {};
    return monotonicMs();
  }

  #send({ id, message }: PreparedCommand, countsFromMs: number): void {
    this.#sentAtMs.set(id, countsFromMs);
    this.#wire.send(message);
  }

  #receive(answer: string): void {
    if (!answer.startsWith(answerStart)) return this.#fail('not an answer');
    const id = answer.slice(answerStart.length, answer.indexOf('"', answerStart.length));
    const sentAtMs = this.#sentAtMs.get(id);
    if (sentAtMs === undefined) return this.#fail('answered twice');
    this.#sentAtMs.delete(id);
    if (appliedNow.every((part) => answer.includes(part))) this.#latenciesMs.push(monotonicMs() - sentAtMs);
    else this.#fail('not applied');
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
