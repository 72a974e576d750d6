import {
  ledgerCommandSchema,
  streams,
  type LedgerCommand,
  type LedgerCommandOf,
  type LedgerRefusal,
  type LedgerResult,
} from '@gateway/contracts';
import { ensureStreams, replyToHeader, type Bus } from '@gateway/service-kit';
import { silentLogger } from '@gateway/service-kit/testing';

type PayoutPhase = 'debited' | 'settled' | 'reversed';

/**
 * The other end of the ledger's command stream, for tests: it reads the real stream, decides each command id once, keeps
 * balances in memory, refuses what the contract refuses, and answers.
 */
export class LedgerPeer implements AsyncDisposable {
  /** Ids of commands in the order they were decided. */
  readonly decided: string[] = [];
  readonly #bus: Bus;
  readonly #results = new Map<string, { body: string; result: LedgerResult }>();
  readonly #available = new Map<string, number>();
  readonly #phases = new Map<string, PayoutPhase>();
  #answering = true;
  #held: (() => void)[] | undefined;
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
        const command = ledgerCommandSchema.parse(message.json());
        const replyTo = message.headers?.get(replyToHeader) ?? '';
        if (peer.#held) peer.#held.push(() => peer.#answer(command, replyTo));
        else peer.#answer(command, replyTo);
      }
    })();
    return peer;
  }

  fund(accountId: string, amount: number): void {
    this.#available.set(accountId, this.balanceOf(accountId) + amount);
  }

  balanceOf(accountId: string): number {
    return this.#available.get(accountId) ?? 0;
  }

  /** What was decided about one payout, in order. */
  decidedFor(payoutId: string): string[] {
    return this.decided.filter((id) => id.split(':')[1] === payoutId).map((id) => id.slice(0, id.indexOf(':')));
  }

  /** Decides what it is told, but the answers are lost on the way. */
  loseAnswers(): void {
    this.#answering = false;
  }

  answerAgain(): void {
    this.#answering = true;
  }

  /** Decides nothing: commands wait in the stream. */
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
    const refusal = this.#apply(command);
    const result: LedgerResult = {
      commandId: command.id,
      outcome: refusal ? 'refused' : 'applied',
      refusal,
      field: null,
      balances: [],
      amounts: {},
      replayed: false,
    };
    this.#results.set(command.id, { body, result });
    this.decided.push(command.id);
    return result;
  }

  #apply(command: LedgerCommand): LedgerRefusal | null {
    if (command.kind === 'settle-payout') return this.#leaveTransit(command.payoutId, 'settled');
    if (command.kind === 'return-payout') return this.#return(command);
    if (command.kind !== 'debit-payout' && command.kind !== 'reverse-payout') {
      throw new Error(`a payout asks for no ${command.kind}`);
    }
    const total = command.amount + command.fee;
    if (command.kind === 'debit-payout') {
      const phase = this.#phases.get(command.payoutId);
      if (phase !== undefined && phase !== 'reversed') return 'invalid_state';
      if (total > this.balanceOf(command.accountId)) return 'insufficient_funds';
      this.fund(command.accountId, -total);
      this.#phases.set(command.payoutId, 'debited');
      return null;
    }
    const refusal = this.#leaveTransit(command.payoutId, 'reversed');
    if (!refusal) this.fund(command.accountId, total);
    return refusal;
  }

  #return({ payoutId, accountId, amount }: LedgerCommandOf<'return-payout'>): LedgerRefusal | null {
    const phase = this.#phases.get(payoutId);
    if (phase !== 'settled') return phase === undefined ? 'unknown_reference' : 'invalid_state';
    this.fund(accountId, amount);
    return null;
  }

  #leaveTransit(payoutId: string, phase: PayoutPhase): LedgerRefusal | null {
    const current = this.#phases.get(payoutId);
    if (current === undefined) return 'unknown_reference';
    if (current !== 'debited') return 'invalid_state';
    this.#phases.set(payoutId, phase);
    return null;
  }
}
