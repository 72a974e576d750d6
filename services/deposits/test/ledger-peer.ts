import { ledgerCommandSchema, streams, type LedgerCommand, type LedgerResult } from '@gateway/contracts';
import { ensureStreams, replyToHeader, type Bus } from '@gateway/service-kit';
import { silentLogger } from '@gateway/service-kit/testing';

/**
 * The other end of the ledger's command stream, for tests: it reads the real stream, decides each command id once, keeps
 * balances in memory, and answers as the contract says.
 */
export class LedgerPeer implements AsyncDisposable {
  /** Commands in the order they were decided. */
  readonly decided: LedgerCommand[] = [];
  readonly #bus: Bus;
  readonly #results = new Map<string, { body: string; result: LedgerResult }>();
  readonly #balances = new Map<string, { available: number; pending: number }>();
  #answering = true;
  #stop = () => {};
  #running: Promise<void> = Promise.resolve();

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  static async start(bus: Bus): Promise<LedgerPeer> {
    await ensureStreams(bus, [streams.ledgerCommandsTest], silentLogger);
    const peer = new LedgerPeer(bus);
    const consumer = await bus.jetstream.consumers.get(streams.ledgerCommandsTest.name);
    const messages = await consumer.consume();
    peer.#stop = () => messages.stop();
    peer.#running = (async () => {
      for await (const message of messages) {
        const result = peer.#decide(ledgerCommandSchema.parse(message.json()));
        const replyTo = message.headers?.get(replyToHeader);
        if (replyTo && peer.#answering) bus.connection.publish(replyTo, JSON.stringify(result));
      }
    })();
    return peer;
  }

  /** Decides what it is told, but the answers are lost on the way. */
  loseAnswers(): void {
    this.#answering = false;
  }

  answerAgain(): void {
    this.#answering = true;
  }

  balanceOf(accountId: string): { available: number; pending: number } {
    return this.#balances.get(accountId) ?? { available: 0, pending: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#running;
    await this.#bus.connection.flush();
  }

  #decide(command: LedgerCommand): LedgerResult {
    const body = JSON.stringify(command);
    const known = this.#results.get(command.id);
    if (known) {
      if (known.body === body) return { ...known.result, replayed: true };
      return { ...known.result, outcome: 'conflict', field: 'body', replayed: true };
    }
    const result: LedgerResult = {
      commandId: command.id,
      outcome: 'applied',
      refusal: null,
      field: null,
      balances: [],
      amounts: {},
      replayed: false,
    };
    this.#apply(command);
    this.#results.set(command.id, { body, result });
    this.decided.push(command);
    return result;
  }

  #apply(command: LedgerCommand): void {
    if (command.kind !== 'credit-deposit') throw new Error(`a deposit asks for no ${command.kind}`);
    const { available, pending } = this.balanceOf(command.accountId);
    const net = command.amount - command.fee;
    const retained = command.releaseAt !== null;
    this.#balances.set(
      command.accountId,
      retained ? { available, pending: pending + net } : { available: available + net, pending },
    );
  }
}
