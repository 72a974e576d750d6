import type { Currency } from '@gateway/money';
import type { SystemAccount } from '#src/posting/posting.ts';
import type { Reference, ShortReference } from '#src/posting/reference.ts';
import type { Buckets, LedgerView } from '#src/posting/rule.ts';
import {
  emptySystemBalance,
  merchantKey,
  systemKey,
  type MerchantBalance,
  type SystemBalance,
} from '#src/state/balances.ts';
import type { LedgerState } from '#src/state/ledger-state.ts';

/** What lies below an overlay: the state in memory, or another overlay. */
export interface OverlayBase extends LedgerView {
  merchant(accountId: string, currency: Currency): MerchantBalance;
  system(account: SystemAccount, currency: Currency): SystemBalance;
  shortfalls(accountId: string, currency: string): readonly ShortReference[];
  /** Whether the record had a shortfall, in this layer or below. */
  owes(reference: ShortReference): boolean;
}

/** The state in memory, together with the references read for one batch. */
export function baseOf(state: LedgerState, references: ReadonlyMap<string, Reference>): OverlayBase {
  return {
    bucketsOf: (accountId, currency) => state.merchant(accountId, currency as Currency),
    merchant: (accountId, currency) => state.merchant(accountId, currency),
    system: (account, currency) => state.system(account, currency) ?? emptySystemBalance(account, currency),
    reference: (id) => references.get(id),
    shortfalls: (accountId, currency) => state.shortfalls(accountId, currency),
    owes: (reference) => state.owes(reference),
  };
}

/** Changes over a base that stays as it is. Dropping the overlay discards them, `commitTo` keeps them. */
export class Overlay implements OverlayBase {
  readonly #base: OverlayBase;
  readonly merchants = new Map<string, MerchantBalance>();
  readonly systems = new Map<string, SystemBalance>();
  readonly references = new Map<string, Reference>();
  /** Records whose shortfall this overlay has changed, also to zero. Few overlays have any, and each command has one. */
  #short: Map<string, ShortReference> | undefined;

  constructor(base: OverlayBase) {
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

  /** Money that has left first, then disputes; each oldest first. */
  shortfalls(accountId: string, currency: string): readonly ShortReference[] {
    const earlier = this.#base.shortfalls(accountId, currency);
    if (earlier.length === 0 && this.#short === undefined) return [];
    const waiting = new Map(earlier.map((short) => [short.id, short]));
    for (const short of this.#short?.values() ?? []) {
      if (short.accountId === accountId && short.currency === currency) waiting.set(short.id, short);
    }
    return [...waiting.values()].filter(({ shortfall }) => shortfall > 0).sort(inOrderOfCapture);
  }

  owes(reference: ShortReference): boolean {
    return this.#short?.has(reference.id) === true || this.#base.owes(reference);
  }

  setMerchant(balance: MerchantBalance): void {
    this.merchants.set(merchantKey(balance.accountId, balance.currency), balance);
  }

  setSystem(balance: SystemBalance): void {
    this.systems.set(systemKey(balance.account, balance.currency), balance);
  }

  setReference(reference: Reference): void {
    this.references.set(reference.id, reference);
    if (reference.kind === 'deposit') return;
    if (reference.shortfall === 0 && !this.owes(reference)) return;
    this.#short ??= new Map();
    this.#short.set(reference.id, reference);
  }

  commitTo(other: Overlay): void {
    for (const [key, balance] of this.merchants) other.merchants.set(key, balance);
    for (const [key, balance] of this.systems) other.systems.set(key, balance);
    for (const reference of this.references.values()) other.setReference(reference);
  }
}

function inOrderOfCapture(one: ShortReference, other: ShortReference): number {
  const [oneWaits, otherWaits] = [one.kind === 'dispute', other.kind === 'dispute'];
  if (oneWaits !== otherWaits) return oneWaits ? 1 : -1;
  return ageOf(one) < ageOf(other) ? -1 : 1;
}

/** Ids sort by creation behind their prefix. */
function ageOf({ id }: ShortReference): string {
  return id.slice(id.indexOf('_'));
}
