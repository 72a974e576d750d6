import type { LedgerCommand, LedgerCommandOf, LedgerRefusal } from '@gateway/contracts/ledger';
import type { Booked, Books } from '@gateway/test-kit';

export interface Buckets {
  readonly available: number;
  readonly pending: number;
  readonly blocked: number;
}

interface BookedRefund {
  state: 'reserved' | 'reversed' | 'redebited';
  /** Owed after a redebit that the balance did not cover. */
  shortfall: number;
}

interface PaidDeposit {
  readonly amount: number;
  committed: number;
}

const applied: Booked = { refusal: null, amounts: {} };
const refused = (refusal: LedgerRefusal): Booked => ({ refusal, amounts: {} });

/** The rules of the ledger that a deposit's commands meet, for one currency. */
export class DepositBooks implements Books {
  readonly #balances = new Map<string, Buckets>();
  readonly #deposits = new Map<string, PaidDeposit>();
  readonly #refunds = new Map<string, BookedRefund>();
  readonly #disputes = new Map<
    string,
    { blocked: number; depositId: string; amount: number; state: 'open' | 'won' | 'lost' }
  >();

  readonly #held = new Map<string, number>();

  balanceOf(accountId: string): Buckets {
    return this.#balances.get(accountId) ?? { available: 0, pending: 0, blocked: 0 };
  }

  apply(command: LedgerCommand): Booked {
    switch (command.kind) {
      case 'credit-deposit':
        return this.#credit(command);
      case 'adjust':
        return this.#move(command.accountId, { available: command.amount });
      case 'refund-deposit':
        return this.#refund(command);
      case 'reverse-refund':
        return this.#reverse(command);
      case 'redebit-refund':
        return this.#redebit(command);
      case 'block-dispute':
        return this.#block(command);
      case 'extend-dispute':
        return this.#extend(command);
      case 'release-dispute':
      case 'return-dispute':
        return this.#resolve(command);
      case 'overturn-dispute':
        return this.#overturn(command);
      case 'hold-receipt':
        if (this.#held.has(command.refundId)) return refused('invalid_state');
        this.#held.set(command.refundId, command.amount);
        return applied;
      case 'return-receipt':
        if (this.#held.get(command.refundId) !== command.amount) return refused('unknown_reference');
        this.#held.set(command.refundId, 0);
        return applied;
      case 'release-pending':
      case 'debit-payout':
      case 'settle-payout':
      case 'reverse-payout':
      case 'redebit-payout':
      case 'lapse-dispute':
      case 'return-payout':
      case 'convert':
      case 'book-trade':
      case 'provider-fee':
      case 'own-funds':
        throw new Error(`a deposit asks for no ${command.kind}`);
    }
  }

  #credit({ accountId, amount, fee, releaseAt, depositId }: LedgerCommandOf<'credit-deposit'>): Booked {
    this.#deposits.set(depositId, { amount, committed: 0 });
    return this.#move(accountId, releaseAt === null ? { available: amount - fee } : { pending: amount - fee });
  }

  #refund({ accountId, amount, depositId, refundId }: LedgerCommandOf<'refund-deposit'>): Booked {
    const deposit = this.#deposits.get(depositId);
    if (!deposit) return refused('unknown_reference');
    if (deposit.committed + amount > deposit.amount) return refused('exceeds_reference');
    if (this.#refunds.has(refundId)) return refused('invalid_state');
    if (this.balanceOf(accountId).available < amount) return refused('insufficient_funds');
    deposit.committed += amount;
    this.#refunds.set(refundId, { state: 'reserved', shortfall: 0 });
    return this.#move(accountId, { available: -amount });
  }

  #reverse({ accountId, amount, depositId, refundId }: LedgerCommandOf<'reverse-refund'>): Booked {
    const refund = this.#refunds.get(refundId);
    if (!refund) return refused('unknown_reference');
    if (refund.state === 'reversed') return refused('invalid_state');
    this.#deposits.get(depositId)!.committed -= amount;
    const debited = amount - refund.shortfall;
    Object.assign(refund, { state: 'reversed', shortfall: 0 });
    return this.#move(accountId, { available: debited });
  }

  /** What the balance does not cover would be taken from later credits; nothing is captured by itself here. */
  #redebit({ accountId, amount, depositId, refundId }: LedgerCommandOf<'redebit-refund'>): Booked {
    const refund = this.#refunds.get(refundId);
    if (!refund) return refused('unknown_reference');
    if (refund.state !== 'reversed') return refused('invalid_state');
    this.#deposits.get(depositId)!.committed += amount;
    const debited = Math.min(amount, this.balanceOf(accountId).available);
    this.#move(accountId, { available: -debited });
    Object.assign(refund, { state: 'redebited', shortfall: amount - debited });
    return { refusal: null, amounts: { debited, shortfall: amount - debited } };
  }

  #block({ accountId, amount, depositId, disputeId }: LedgerCommandOf<'block-dispute'>): Booked {
    const deposit = this.#deposits.get(depositId);
    if (!deposit) return refused('unknown_reference');
    const due = Math.min(amount, deposit.amount - deposit.committed);
    const blocked = Math.min(due, this.balanceOf(accountId).available);
    deposit.committed += due;
    if (this.#disputes.has(disputeId)) return refused('invalid_state');
    this.#disputes.set(disputeId, { blocked, depositId, amount: due, state: 'open' });
    this.#move(accountId, { available: -blocked, blocked });
    return { refusal: null, amounts: { blocked } };
  }

  #extend({ accountId, disputeId, amount }: LedgerCommandOf<'extend-dispute'>): Booked {
    const dispute = this.#disputes.get(disputeId);
    if (!dispute) return refused('unknown_reference');
    const deposit = this.#deposits.get(dispute.depositId)!;
    const left = deposit.amount - deposit.committed;
    const extra = dispute.state === 'won' ? 0 : Math.max(Math.min(amount - dispute.amount, left), 0);
    const covered = Math.min(extra, this.balanceOf(accountId).available);
    deposit.committed += extra;
    dispute.amount += extra;
    dispute.blocked += covered;
    this.#move(accountId, { available: -covered, blocked: dispute.state === 'lost' ? 0 : covered });
    return { refusal: null, amounts: { extended: extra } };
  }

  #resolve(command: LedgerCommandOf<'release-dispute'> | LedgerCommandOf<'return-dispute'>): Booked {
    const dispute = this.#disputes.get(command.disputeId);
    if (!dispute) return refused('unknown_reference');
    if (dispute.state !== 'open') return refused('invalid_state');
    const { blocked, amount, depositId } = dispute;
    const lost = command.kind === 'return-dispute' ? Math.min(command.amount ?? amount, amount) : 0;
    const returned = Math.min(blocked, lost);
    const released = blocked - returned;
    this.#deposits.get(depositId)!.committed -= amount - lost;
    this.#move(command.accountId, { available: released, blocked: -blocked });
    if (command.kind === 'return-dispute') {
      Object.assign(dispute, { state: 'lost', amount: lost, blocked: returned });
      return { refusal: null, amounts: { returned, shortfall: lost - returned, released } };
    }
    dispute.state = 'won';
    return { refusal: null, amounts: { released } };
  }

  #overturn({ accountId, disputeId }: LedgerCommandOf<'overturn-dispute'>): Booked {
    const dispute = this.#disputes.get(disputeId);
    if (!dispute) return refused('unknown_reference');
    if (dispute.state !== 'lost') return refused('invalid_state');
    const released = dispute.blocked;
    Object.assign(dispute, { state: 'won', blocked: 0 });
    this.#deposits.get(dispute.depositId)!.committed -= dispute.amount;
    this.#move(accountId, { available: released });
    return { refusal: null, amounts: { released } };
  }

  /** The postings of orphan receipts: money that arrived at a provider and is not sent back yet. */
  get suspended(): number {
    return [...this.#held.values()].reduce((sum, amount) => sum + amount, 0);
  }

  /** What the ledger would answer of a dispute; nothing is captured by itself here. */
  holdingOf(disputeId: string) {
    const { blocked, amount, state } = this.#disputes.get(disputeId)!;
    const isLost = state === 'lost';
    return { state, blocked: isLost ? 0 : blocked, returned: isLost ? blocked : 0, shortfall: amount - blocked };
  }

  /** A later credit pays into a dispute's shortfall. */
  capture(accountId: string, disputeId: string, amount: number): void {
    const dispute = this.#disputes.get(disputeId)!;
    dispute.blocked += amount;
    this.#move(accountId, { available: -amount, blocked: dispute.state === 'lost' ? 0 : amount });
  }

  #move(accountId: string, change: Partial<Buckets>): Booked {
    const { available, pending, blocked } = this.balanceOf(accountId);
    this.#balances.set(accountId, {
      available: available + (change.available ?? 0),
      pending: pending + (change.pending ?? 0),
      blocked: blocked + (change.blocked ?? 0),
    });
    return applied;
  }
}
