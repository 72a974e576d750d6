import type { RailMoney } from '@gateway/money';
import { type PaymentProvider, type PayoutReturns, type PayoutState, sandboxProvider } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';

/** What a call comes to: `lost-` calls have no answer, before or after the transfer was made. */
export type Treatment = 'pay' | 'fail' | 'refuse' | 'no-balance' | 'not-sent' | 'lost-before' | 'lost-after';
export const treatments: readonly Treatment[] = [
  ...(['pay', 'fail', 'refuse', 'no-balance', 'not-sent', 'lost-before', 'lost-after'] as const),
];

interface Transfer {
  fails: boolean;
  settled: boolean;
  readonly returns: { readonly returnId: string; readonly money: RailMoney }[];
}

/**
 * A provider that makes a transfer for every call it takes, also for a reference it has seen before: paying once is up to
 * the caller. What it has, a lookup finds.
 */
export class Rail {
  /** How often a transfer was made, by reference. */
  readonly made = new Map<string, number>();
  readonly provider: PaymentProvider;
  readonly #transfers = new Map<string, Transfer>();
  #returns = 0;
  readonly #treat: () => Treatment;
  readonly #now: () => Date;

  constructor(now: () => Date, treat: () => Treatment) {
    this.#now = now;
    this.#treat = treat;
    this.provider = {
      ...sandboxProvider({ now }),
      createPayout: async ({ ref }) => {
        const treatment = this.#treat();
        if (treatment === 'not-sent') return { kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' };
        if (treatment === 'lost-before') return { kind: 'unknown', cause: 'ECONNRESET' };
        if (treatment === 'no-balance') return { kind: 'refused', code: 'provider_balance', message: 'none', raw: {} };
        if (treatment === 'refuse') return { kind: 'refused', code: 'key_not_found', message: 'no such key', raw: {} };
        this.made.set(ref, (this.made.get(ref) ?? 0) + 1);
        this.#transfers.set(ref, { fails: treatment === 'fail', settled: false, returns: [] });
        if (treatment === 'lost-after') return { kind: 'unknown', cause: 'ETIMEDOUT' };
        return { kind: 'accepted', status: 'PROCESSING', providerRef: ref };
      },
      getPayout: async ({ ref }) => this.#stateOf(ref),
      getPayoutReturns: async ({ ref }) => this.#returnsOf(ref),
    };
  }

  /** Settles what it has; from then on lookups and notifications report the result. */
  settle(ref: string): void {
    const transfer = this.#transfers.get(ref);
    if (transfer) transfer.settled = true;
  }

  resultOf(ref: string): 'paid' | 'failed' | undefined {
    const transfer = this.#transfers.get(ref);
    if (!transfer?.settled) return undefined;
    return transfer.fails ? 'failed' : 'paid';
  }

  /** The receiving bank sends a part of a paid transfer back. */
  giveBack(
    ref: string,
    amount: number,
    returnId = `D${ref}${this.#returns++}`,
    currency: 'BRL' | 'MXN' = 'BRL',
  ): string {
    this.#transfers.get(ref)?.returns.push({ returnId, money: { currency, amount } });
    return returnId;
  }

  returnedOf(ref: string): number {
    return this.#transfers.get(ref)?.returns.reduce((sum, { money }) => sum + money.amount, 0) ?? 0;
  }

  /** From now on it answers the opposite. */
  contradictItself(ref: string): void {
    const transfer = this.#transfers.get(ref);
    if (transfer) transfer.fails = !transfer.fails;
  }

  #returnsOf(ref: string): PayoutReturns {
    const transfer = this.#transfers.get(ref);
    if (!transfer) return { status: 'NOT_FOUND' };
    return { status: 'FOUND', returns: transfer.returns.map((part) => asked({ ...part, at: this.#now() })) };
  }

  #stateOf(ref: string): PayoutState {
    const transfer = this.#transfers.get(ref);
    if (!transfer) return { status: 'NOT_FOUND' };
    if (!transfer.settled) return { status: 'PROCESSING', providerRef: ref };
    if (transfer.fails)
      return asked({ status: 'FAILED', providerRef: ref, code: 'invalid_account', message: 'no account' });
    return asked({ status: 'PAID', providerRef: ref, e2eId: e2eIdOf(ref), paidAt: this.#now() });
  }
}

export function e2eIdOf(ref: string): string {
  return `E99999999${ref}`;
}
