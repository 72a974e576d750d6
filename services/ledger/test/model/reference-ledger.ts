import type { LedgerCommand, LedgerRefusal } from '@gateway/contracts/ledger';
import type { Currency } from '@gateway/money';
import type { ModelDeposit, ModelDispute, ModelPayout, ModelRefund } from './records.ts';

/**
 * The ledger as one would explain it: balances and records changed directly, without postings, batches, drafts or a
 * database. Written from the specification, to be compared with the real one command by command.
 */
export interface ModelBalance {
  available: number;
  pending: number;
  blocked: number;
}

export interface ModelAnswer {
  readonly outcome: 'applied' | 'refused' | 'conflict';
  readonly refusal: LedgerRefusal | null;
}

class Refused extends Error {
  readonly refusal: LedgerRefusal;
  constructor(refusal: LedgerRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

const key = (accountId: string, currency: Currency) => `${accountId} ${currency}`;

export class ReferenceLedger {
  balances = new Map<string, ModelBalance>();
  /** Counterpart of adjustments, per currency: the only account of ours that such amounts can overflow. */
  suspense = new Map<string, number>();
  deposits = new Map<string, ModelDeposit>();
  payouts = new Map<string, ModelPayout>();
  refunds = new Map<string, ModelRefund>();
  disputes = new Map<string, ModelDispute>();
  readonly #answers = new Map<string, { request: string; answer: ModelAnswer }>();

  decide(command: LedgerCommand, atSec: number): ModelAnswer {
    const request = JSON.stringify(command);
    const earlier = this.#answers.get(command.id);
    if (earlier) return earlier.request === request ? earlier.answer : { outcome: 'conflict', refusal: null };
    const before = this.#copy();
    let answer: ModelAnswer = { outcome: 'applied', refusal: null };
    try {
      this.#carryOut(command, atSec);
      this.#mustHold();
      this.#collect(before.balances);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      Object.assign(this, before);
      answer = { outcome: 'refused', refusal: error.refusal };
    }
    this.#answers.set(command.id, { request, answer });
    return answer;
  }

  #copy() {
    const { balances, suspense, deposits, payouts, refunds, disputes } = this;
    return structuredClone({ balances, suspense, deposits, payouts, refunds, disputes });
  }

  balance(accountId: string, currency: Currency): ModelBalance {
    const found = this.balances.get(key(accountId, currency)) ?? { available: 0, pending: 0, blocked: 0 };
    this.balances.set(key(accountId, currency), found);
    return found;
  }

  #mustHold(): void {
    for (const balance of this.balances.values()) {
      if (balance.available < 0 || balance.pending < 0 || balance.blocked < 0) throw new Refused('insufficient_funds');
    }
    const all = [...this.balances.values()].flatMap(({ available, pending, blocked }) => [
      available,
      pending,
      blocked,
      available + pending + blocked,
    ]);
    if (![...all, ...this.suspense.values()].every(Number.isSafeInteger)) throw new Refused('balance_overflow');
  }

  /** Whatever grew pays the debts of its balance first, then its disputes. */
  #collect(before: Map<string, ModelBalance>): void {
    for (const [owner, balance] of this.balances) {
      if (balance.available <= (before.get(owner)?.available ?? 0)) continue;
      const debts = [...this.payouts, ...this.refunds].filter(([, debt]) => debt.owner === owner && debt.missing > 0);
      for (const [, debt] of debts.sort(([one], [other]) => (one.slice(3) < other.slice(3) ? -1 : 1))) {
        const part = Math.min(balance.available, debt.missing);
        balance.available -= part;
        debt.missing -= part;
      }
      const waiting = [...this.disputes.values()].filter((dispute) => dispute.owner === owner && dispute.missing > 0);
      for (const dispute of waiting.sort((one, other) => (one.id < other.id ? -1 : 1))) {
        const part = Math.min(balance.available, dispute.missing);
        balance.available -= part;
        dispute.missing -= part;
        if (dispute.state === 'lost') {
          dispute.gone += part;
          continue;
        }
        balance.blocked += part;
        dispute.blocked += part;
      }
    }
  }

  #own<R extends { owner: string }>(records: Map<string, R>, id: string, command: LedgerCommand): R {
    const record = records.get(id);
    if (!record || !record.owner.startsWith(`${command.accountId} `)) throw new Refused('unknown_reference');
    if (record.owner !== key(command.accountId, command.currency)) throw new Refused('currency_mismatch');
    return record;
  }

  #carryOut(command: LedgerCommand, atSec: number): void {
    const owner = key(command.accountId, command.currency);
    const balance = this.balance(command.accountId, command.currency);
    switch (command.kind) {
      case 'credit-deposit': {
        if (this.deposits.has(command.depositId)) throw new Refused('invalid_state');
        const net = command.amount - command.fee;
        const pending = command.releaseAt === null ? 0 : net;
        balance.pending += pending;
        balance.available += net - pending;
        this.deposits.set(command.depositId, { owner, amount: command.amount, pending, givenBack: 0 });
        return;
      }
      case 'release-pending': {
        const deposit = this.#own(this.deposits, command.depositId, command);
        if (deposit.pending === 0) throw new Refused('invalid_state');
        if (command.amount > deposit.pending) throw new Refused('exceeds_reference');
        deposit.pending -= command.amount;
        balance.pending -= command.amount;
        balance.available += command.amount;
        return;
      }
      case 'debit-payout': {
        if (this.payouts.has(command.payoutId)) {
          if (this.#own(this.payouts, command.payoutId, command).state !== 'reversed')
            throw new Refused('invalid_state');
        }
        balance.available -= command.amount + command.fee;
        const { amount, fee } = command;
        this.payouts.set(command.payoutId, { owner, amount, fee, state: 'debited', returned: 0, missing: 0 });
        return;
      }
      case 'settle-payout':
      case 'reverse-payout': {
        const payout = this.#own(this.payouts, command.payoutId, command);
        const fits =
          command.amount === payout.amount && (command.kind === 'settle-payout' || command.fee === payout.fee);
        if (!fits) throw new Refused('exceeds_reference');
        if (payout.state !== 'debited') throw new Refused('invalid_state');
        payout.state = command.kind === 'settle-payout' ? 'settled' : 'reversed';
        if (payout.state === 'reversed') balance.available += payout.amount + payout.fee;
        return;
      }
      case 'redebit-payout': {
        const payout = this.#own(this.payouts, command.payoutId, command);
        if (command.amount !== payout.amount || command.fee !== payout.fee) throw new Refused('exceeds_reference');
        if (payout.state !== 'reversed') throw new Refused('invalid_state');
        payout.state = 'settled';
        payout.missing = this.#take(balance, payout.amount + payout.fee);
        return;
      }
      case 'return-payout': {
        const payout = this.#own(this.payouts, command.payoutId, command);
        if (payout.returned + command.amount > payout.amount) throw new Refused('exceeds_reference');
        if (payout.state !== 'settled') throw new Refused('invalid_state');
        payout.returned += command.amount;
        balance.available += command.amount;
        return;
      }
      case 'refund-deposit': {
        const deposit = this.#own(this.deposits, command.depositId, command);
        const left = Math.min(deposit.amount, command.depositAmount) - deposit.givenBack;
        if (command.amount > left) throw new Refused('exceeds_reference');
        if (this.refunds.has(command.refundId)) throw new Refused('invalid_state');
        deposit.givenBack += command.amount;
        balance.available -= command.amount;
        const { depositId, amount } = command;
        this.refunds.set(command.refundId, { owner, depositId, amount, state: 'reserved', missing: 0 });
        return;
      }
      case 'reverse-refund': {
        const refund = this.#own(this.refunds, command.refundId, command);
        const deposit = this.#own(this.deposits, command.depositId, command);
        if (refund.depositId !== command.depositId) throw new Refused('unknown_reference');
        if (refund.amount !== command.amount) throw new Refused('exceeds_reference');
        if (refund.state !== 'reserved' && refund.state !== 'redebited') throw new Refused('invalid_state');
        deposit.givenBack -= refund.amount;
        balance.available += refund.amount - refund.missing;
        Object.assign(refund, { state: 'reversed', missing: 0 });
        return;
      }
      case 'redebit-refund': {
        const refund = this.#own(this.refunds, command.refundId, command);
        const deposit = this.#own(this.deposits, command.depositId, command);
        if (refund.depositId !== command.depositId) throw new Refused('unknown_reference');
        if (refund.amount !== command.amount) throw new Refused('exceeds_reference');
        if (refund.state !== 'reversed') throw new Refused('invalid_state');
        refund.state = 'redebited';
        deposit.givenBack += refund.amount;
        refund.missing = this.#take(balance, refund.amount);
        return;
      }
      case 'lapse-dispute': {
        const dispute = this.#own(this.disputes, command.disputeId, command);
        if (dispute.missing === 0 || atSec < dispute.until) throw new Refused('invalid_state');
        dispute.missing = 0;
        return;
      }
      case 'block-dispute': {
        const deposit = this.#own(this.deposits, command.depositId, command);
        if (command.amount > deposit.amount) throw new Refused('exceeds_reference');
        if (this.disputes.has(command.disputeId)) throw new Refused('invalid_state');
        const claimed = Math.min(command.amount, Math.max(deposit.amount - deposit.givenBack, 0));
        const blocked = Math.min(claimed, balance.available);
        deposit.givenBack += claimed;
        balance.available -= blocked;
        balance.blocked += blocked;
        const { disputeId: id, depositId, captureUntil: until } = command;
        this.disputes.set(id, {
          id,
          owner,
          depositId,
          claimed,
          blocked,
          missing: claimed - blocked,
          gone: 0,
          until,
          state: 'open',
        });
        return;
      }
      case 'extend-dispute': {
        const dispute = this.#own(this.disputes, command.disputeId, command);
        const deposit = this.#own(this.deposits, dispute.depositId, command);
        if (command.amount > deposit.amount) throw new Refused('exceeds_reference');
        if (dispute.state === 'won' || atSec >= dispute.until) return;
        const free = Math.max(deposit.amount - deposit.givenBack, 0);
        const more = Math.max(Math.min(command.amount - dispute.claimed, free), 0);
        const missing = this.#take(balance, more);
        deposit.givenBack += more;
        dispute.claimed += more;
        dispute.missing += missing;
        if (dispute.state === 'lost') dispute.gone += more - missing;
        else {
          dispute.blocked += more - missing;
          balance.blocked += more - missing;
        }
        return;
      }
      case 'release-dispute':
      case 'return-dispute': {
        const dispute = this.#own(this.disputes, command.disputeId, command);
        if (dispute.state !== 'open') throw new Refused('invalid_state');
        const lost = command.kind === 'release-dispute' ? 0 : Math.min(command.amount ?? Infinity, dispute.claimed);
        const freed = Math.max(dispute.blocked - lost, 0);
        balance.blocked -= dispute.blocked;
        balance.available += freed;
        this.#own(this.deposits, dispute.depositId, command).givenBack -= dispute.claimed - lost;
        dispute.gone = dispute.blocked - freed;
        dispute.missing = Math.min(dispute.missing, lost - dispute.gone);
        dispute.claimed = lost;
        dispute.blocked = 0;
        dispute.state = command.kind === 'release-dispute' ? 'won' : 'lost';
        return;
      }
      case 'overturn-dispute': {
        const dispute = this.#own(this.disputes, command.disputeId, command);
        if (dispute.state !== 'lost') throw new Refused('invalid_state');
        this.#own(this.deposits, dispute.depositId, command).givenBack -= dispute.claimed;
        balance.available += dispute.gone;
        Object.assign(dispute, { state: 'won', gone: 0, missing: 0 });
        return;
      }
      case 'hold-receipt': {
        if (this.refunds.has(command.refundId)) throw new Refused('invalid_state');
        this.#suspend(command.currency, command.amount);
        const { refundId, depositId, amount } = command;
        this.refunds.set(refundId, { owner, depositId, amount, state: 'held', missing: 0 });
        return;
      }
      case 'return-receipt': {
        const receipt = this.#own(this.refunds, command.refundId, command);
        if (receipt.amount !== command.amount) throw new Refused('exceeds_reference');
        if (receipt.state !== 'held') throw new Refused('invalid_state');
        receipt.state = 'returned';
        this.#suspend(command.currency, -command.amount);
        return;
      }
      case 'convert': {
        if (command.currency === command.targetCurrency) throw new Refused('currency_mismatch');
        balance.available -= command.amount;
        this.balance(command.accountId, command.targetCurrency).available += command.targetAmount;
        return;
      }
      case 'book-trade':
        // Moves nothing between merchants.
        if (command.currency === command.targetCurrency) throw new Refused('currency_mismatch');
        return;
      case 'provider-fee':
      case 'own-funds':
        // Moves nothing between merchants.
        return;
      case 'adjust':
        balance.available += command.amount;
        this.#suspend(command.currency, -command.amount);
    }
  }

  /** @returns what the balance does not cover */
  #take(balance: ModelBalance, amount: number): number {
    const taken = Math.min(amount, balance.available);
    balance.available -= taken;
    return amount - taken;
  }

  #suspend(currency: Currency, amount: number): void {
    this.suspense.set(currency, (this.suspense.get(currency) ?? 0) + amount);
  }
}
