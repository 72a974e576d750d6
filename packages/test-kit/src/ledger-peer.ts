import { streams } from '@gateway/contracts/broker';
import {
  ledgerCommandSchema,
  type LedgerCommand,
  type LedgerRefusal,
  type LedgerResult,
} from '@gateway/contracts/ledger';
import { replyToHeader, type Bus, ensureStreams } from '@gateway/messaging';
import { createLogger } from '@gateway/runtime';

/** What a ledger decides about a command. */
export interface Booked {
  readonly refusal: LedgerRefusal | null;
  readonly amounts: Readonly<Record<string, number>>;
}

/** The ledger's rules and balances, as far as the commands of one service go; each command comes here once. */
export interface Books {
  apply(command: LedgerCommand): Booked;
}

/**
 * The other end of the ledger's command stream, for tests of services that ask the ledger: sets up the streams, as the
 * ledger does, reads the real one of the test environment, decides each command id once, and answers as the contract
 * says.
 */
export class LedgerPeer<B extends Books> implements AsyncDisposable {
  readonly books: B;
  /** Commands in the order they were decided. */
  readonly decided: LedgerCommand[] = [];
  readonly #bus: Bus;
  readonly #results = new Map<string, { body: string; result: LedgerResult }>();
  #answering = true;
  #held: (() => void)[] | undefined;
  #stop = () => {};
  #running: Promise<void> = Promise.resolve();

  private constructor(bus: Bus, books: B) {
    this.#bus = bus;
    this.books = books;
  }

  static async start<B extends Books>(bus: Bus, books: B): Promise<LedgerPeer<B>> {
    await ensureStreams(bus, Object.values(streams), createLogger('test', 'silent'));
    const peer = new LedgerPeer(bus, books);
    const consumer = await bus.jetstream.consumers.get(streams.ledgerCommandsTest.name);
    const messages = await consumer.consume();
    peer.#stop = () => messages.stop();
    peer.#running = (async () => {
      for await (const message of messages) {
        const command = ledgerCommandSchema.parse(message.json());
        const replyTo = message.headers?.get(replyToHeader) ?? '';
        if (peer.#held) peer.#held.push(() => peer.#answer(command, replyTo));
        else peer.#answer(command, replyTo);
      }
    })();
    return peer;
  }

  /** What was decided about one record, in order: the kinds that begin the ids of its commands. */
  decidedFor(recordId: string): string[] {
    return this.decided.map(({ id }) => id.split(':')).flatMap(([kind = '', id]) => (id === recordId ? [kind] : []));
  }

  /** Decides commands, but the answers are lost on the way. */
  loseAnswers(): void {
    this.#answering = false;
  }

  answerAgain(): void {
    this.#answering = true;
  }

  /** Decides nothing: commands wait until `resume`. */
  hold(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const answer of held) answer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#running;
    await this.#bus.connection.flush();
  }

  #answer(command: LedgerCommand, replyTo: string): void {
    const result = this.#decide(command);
    if (replyTo && this.#answering) this.#bus.connection.publish(replyTo, JSON.stringify(result));
  }

  #decide(command: LedgerCommand): LedgerResult {
    const body = JSON.stringify(command);
    const known = this.#results.get(command.id);
    if (known) {
      if (known.body === body) return { ...known.result, replayed: true };
      return { ...known.result, outcome: 'conflict', field: 'body', replayed: true };
    }
    const { refusal, amounts } = this.books.apply(command);
    const result: LedgerResult = {
      commandId: command.id,
      outcome: refusal === null ? 'applied' : 'refused',
      refusal,
      field: null,
      balances: [],
      amounts: { ...amounts },
      replayed: false,
      link: null,
    };
    this.#results.set(command.id, { body, result });
    this.decided.push(command);
    return result;
  }
}
