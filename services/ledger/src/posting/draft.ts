import type { Currency } from '@gateway/contracts';
import type { SystemAccount } from '#src/posting/posting.ts';
import type { DisputeReference, Reference } from '#src/posting/reference.ts';
import type { Buckets, LedgerView } from '#src/posting/verdict.ts';
import {
  emptySystemBalance,
  merchantKey,
  systemKey,
  type MerchantBalance,
  type SystemBalance,
} from '#src/state/balances.ts';
import type { LedgerState } from '#src/state/ledger-state.ts';

/** What a draft is laid over: the memory, or another draft. */
export interface DraftBase extends LedgerView {
  merchant(accountId: string, currency: Currency): MerchantBalance;
  system(account: SystemAccount, currency: Currency): SystemBalance;
  shortfalls(accountId: string, currency: string): readonly DisputeReference[];
}

/** The memory together with the references read for one batch. */
export function baseOf(state: LedgerState, references: ReadonlyMap<string, Reference>): DraftBase {
  return {
    bucketsOf: (accountId, currency) => state.merchant(accountId, currency as Currency),
    merchant: (accountId, currency) => state.merchant(accountId, currency),
    system: (account, currency) => state.system(account, currency) ?? emptySystemBalance(account, currency),
    reference: (id) => references.get(id),
    shortfalls: (accountId, currency) => state.shortfalls(accountId, currency),
  };
}

/** Changes laid over a base that stays untouched: thrown away by dropping the draft, kept by `mergeInto`. */
export class Draft implements DraftBase {
  readonly #base: DraftBase;
  readonly merchants = new Map<string, MerchantBalance>();
  readonly systems = new Map<string, SystemBalance>();
  readonly references = new Map<string, Reference>();
  readonly #disputes = new Map<string, DisputeReference>();

  constructor(base: DraftBase) {
    this.#base = base;
  }

  bucketsOf(accountId: string, currency: string): Buckets {
    return this.merchant(accountId, currency as Currency);
  }

  merchant(accountId: string, currency: Currency): MerchantBalance {
    return this.merchants.get(merchantKey(accountId, currency)) ?? this.#base.merchant(accountId, currency);
  }

  system(account: SystemAccount, currency: Currency): SystemBalance {
    return this.systems.get(systemKey(account, currency)) ?? this.#base.system(account, currency);
  }

  reference(id: string): Reference | undefined {
    return this.references.get(id) ?? this.#base.reference(id);
  }

  /** Oldest first: ids of disputes sort by creation. */
  shortfalls(accountId: string, currency: string): readonly DisputeReference[] {
    const earlier = this.#base.shortfalls(accountId, currency);
    if (earlier.length === 0 && this.#disputes.size === 0) return [];
    const waiting = new Map(earlier.map((dispute) => [dispute.id, dispute]));
    for (const dispute of this.#disputes.values()) {
      if (dispute.accountId === accountId && dispute.currency === currency) waiting.set(dispute.id, dispute);
    }
    return [...waiting.values()].filter((dispute) => dispute.shortfall > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  setMerchant(balance: MerchantBalance): void {
    this.merchants.set(merchantKey(balance.accountId, balance.currency), balance);
  }

  setSystem(balance: SystemBalance): void {
    this.systems.set(systemKey(balance.account, balance.currency), balance);
  }

  setReference(reference: Reference): void {
    this.references.set(reference.id, reference);
    if (reference.kind === 'dispute') this.#disputes.set(reference.id, reference);
  }

  mergeInto(other: Draft): void {
    for (const [key, balance] of this.merchants) other.merchants.set(key, balance);
    for (const [key, balance] of this.systems) other.systems.set(key, balance);
    for (const reference of this.references.values()) other.setReference(reference);
  }
}
