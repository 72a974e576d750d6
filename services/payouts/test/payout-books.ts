import type { LedgerCommand, LedgerCommandOf, LedgerRefusal } from '@gateway/contracts/ledger';
import type { Booked, Books } from '@gateway/test-kit';

type PayoutPhase = 'debited' | 'settled' | 'reversed';

/** The rules of the ledger that a payout's commands meet, for one currency. */
export class PayoutBooks implements Books {
  readonly #available = new Map<string, number>();
  readonly #phases = new Map<string, PayoutPhase>();

  fund(accountId: string, amount: number): void {
    this.#available.set(accountId, this.balanceOf(accountId) + amount);
  }

  balanceOf(accountId: string): number {
    return this.#available.get(accountId) ?? 0;
  }

  apply(command: LedgerCommand): Booked {
    return { refusal: this.#refusalOf(command), amounts: {} };
  }

  #refusalOf(command: LedgerCommand): LedgerRefusal | null {
    if (command.kind === 'settle-payout') return this.#leaveTransit(command.payoutId, 'settled');
    if (command.kind === 'return-payout') return this.#return(command);
    if (command.kind === 'redebit-payout') return this.#redebit(command);
    if (command.kind !== 'debit-payout' && command.kind !== 'reverse-payout') {
      throw new Error(`a payout asks for no ${command.kind}`);
    }
    const total = command.amount + command.fee;
    if (command.kind === 'debit-payout') {
      const phase = this.#phases.get(command.payoutId);
      if (phase !== undefined && phase !== 'reversed') return 'invalid_state';
      // What is owed is a balance below zero here: every credit pays it before anything can be spent.
      if (total > this.balanceOf(command.accountId)) return 'insufficient_funds';
      this.fund(command.accountId, -total);
      this.#phases.set(command.payoutId, 'debited');
      return null;
    }
    const refusal = this.#leaveTransit(command.payoutId, 'reversed');
    if (!refusal) this.fund(command.accountId, total);
    return refusal;
  }

  #redebit({ payoutId, accountId, amount, fee }: LedgerCommandOf<'redebit-payout'>): LedgerRefusal | null {
    const phase = this.#phases.get(payoutId);
    if (phase !== 'reversed') return phase === undefined ? 'unknown_reference' : 'invalid_state';
    this.fund(accountId, -amount - fee);
    this.#phases.set(payoutId, 'settled');
    return null;
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
