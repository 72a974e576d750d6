import type { Currency } from '@gateway/contracts';
import type { DisputeReference, Reference } from '#src/posting/reference.ts';
import {
  emptyMerchantBalance,
  merchantKey,
  systemKey,
  type MerchantBalance,
  type SystemBalance,
} from '#src/state/balances.ts';

/** Where the chain of decisions stands. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
  /** Time of the newest decision, Unix milliseconds; later decisions are never earlier. */
  readonly decidedAtMs: number;
}

/** What one committed batch changed. */
export interface StateChange {
  readonly merchants: readonly MerchantBalance[];
  readonly systems: readonly SystemBalance[];
  readonly references: readonly Reference[];
  /** Those of them that no table has yet, as far as is known for certain. */
  readonly newReferences: ReadonlySet<string>;
  readonly head: ChainHead;
}

/** Accounts kept in memory at most; beyond that the cache starts afresh. About 200 bytes each. */
const cachedAccountsMax = 500_000;

/**
 * The writer's memory: a cache of what PostgreSQL holds, changed only after a commit. Dropping it costs a read.
 * Disputes with a shortfall are all here, since any credit may have to pay into them; there are few.
 */
export class LedgerState {
  readonly #merchants = new Map<string, MerchantBalance>();
  readonly #loadedAccounts = new Set<string>();
  readonly #systems = new Map<string, SystemBalance>();
  readonly #shortfalls = new Map<string, Map<string, DisputeReference>>();
  #head: ChainHead;

  constructor(head: ChainHead, systems: readonly SystemBalance[], shortfalls: readonly DisputeReference[]) {
    this.#head = head;
    for (const balance of systems) this.#systems.set(systemKey(balance.account, balance.currency), balance);
    for (const dispute of shortfalls) this.#keepShortfall(dispute);
  }

  get head(): ChainHead {
    return this.#head;
  }

  knowsAccount(accountId: string): boolean {
    return this.#loadedAccounts.has(accountId);
  }

  /** Takes in all balance rows of the accounts; an account without rows is known to be empty. */
  rememberAccounts(accountIds: readonly string[], balances: readonly MerchantBalance[]): void {
    for (const accountId of accountIds) this.#loadedAccounts.add(accountId);
    for (const balance of balances) this.#merchants.set(merchantKey(balance.accountId, balance.currency), balance);
  }

  /** To be called between batches only: the accounts of a batch must stay known until it is committed. */
  boundMemory(): void {
    if (this.#loadedAccounts.size <= cachedAccountsMax) return;
    this.#merchants.clear();
    this.#loadedAccounts.clear();
  }

  merchant(accountId: string, currency: Currency): MerchantBalance {
    const found = this.#merchants.get(merchantKey(accountId, currency));
    if (found) return found;
    if (!this.#loadedAccounts.has(accountId)) throw new Error(`account ${accountId} was not loaded`);
    return emptyMerchantBalance(accountId, currency);
  }

  system(account: string, currency: string): SystemBalance | undefined {
    return this.#systems.get(systemKey(account, currency));
  }

  /** Disputes of the balance that still wait for money, oldest first. */
  shortfalls(accountId: string, currency: string): readonly DisputeReference[] {
    return [...(this.#shortfalls.get(merchantKey(accountId, currency))?.values() ?? [])];
  }

  absorb(change: StateChange): void {
    for (const balance of change.merchants)
      this.#merchants.set(merchantKey(balance.accountId, balance.currency), balance);
    for (const balance of change.systems) this.#systems.set(systemKey(balance.account, balance.currency), balance);
    for (const reference of change.references) if (reference.kind === 'dispute') this.#keepShortfall(reference);
    this.#head = change.head;
  }

  #keepShortfall(dispute: DisputeReference): void {
    const key = merchantKey(dispute.accountId, dispute.currency);
    const waiting = this.#shortfalls.get(key) ?? new Map<string, DisputeReference>();
    if (dispute.shortfall > 0) waiting.set(dispute.id, dispute);
    else waiting.delete(dispute.id);
    if (waiting.size > 0) this.#shortfalls.set(key, waiting);
    else this.#shortfalls.delete(key);
  }
}
