import {
  getDisputeHolding,
  ledgerCommandSchema,
  streams,
  type LedgerCommand,
  type LedgerResult,
} from '@gateway/contracts';
import { answering, ensureStreams, replyToHeader, serveRpc, type Bus } from '@gateway/service-kit';
import { silentLogger } from '@gateway/service-kit/testing';
import { LedgerBooks, type Buckets } from './ledger-books.ts';

/**
 * The other end of the ledger's command stream, for tests: it reads the real stream, decides each command id once, keeps
 * balances in memory, and answers as the contract says.
 */
export class LedgerPeer implements AsyncDisposable {
  /** Commands in the order they were decided. */
  readonly decided: LedgerCommand[] = [];
  readonly #bus: Bus;
  readonly #results = new Map<string, { body: string; result: LedgerResult }>();
  readonly books = new LedgerBooks();
  #answering = true;
  #rpc: AsyncDisposable | undefined;
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
    const holdings = answering(getDisputeHolding, async ({ disputeId }) => ({
      ...peer.books.holdingOf(disputeId),
      captureUntil: 1,
    }));
    peer.#rpc = await serveRpc(bus, [holdings], silentLogger);
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

  balanceOf(accountId: string): Buckets {
    return this.books.balanceOf(accountId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#running;
    await this.#rpc?.[Symbol.asyncDispose]();
    await this.#bus.connection.flush();
  }

  #decide(command: LedgerCommand): LedgerResult {
    const body = JSON.stringify(command);
    const known = this.#results.get(command.id);
    if (known) {
      if (known.body === body) return { ...known.result, replayed: true };
      return { ...known.result, outcome: 'conflict', field: 'body', replayed: true };
    }
    const decision = this.books.apply(command);
    const result: LedgerResult = {
      commandId: command.id,
      outcome: decision.refusal === null ? 'applied' : 'refused',
      refusal: decision.refusal,
      field: null,
      balances: [],
      amounts: decision.amounts,
      replayed: false,
    };
    this.#results.set(command.id, { body, result });
    this.decided.push(command);
    return result;
  }
}
