import type { Currency } from '@gateway/money';
import type { Reference, ShortReference } from '#src/posting/reference.ts';
import {
  emptyMerchantBalance,
  merchantKey,
  systemKey,
  type MerchantBalance,
  type SystemBalance,
} from '#src/state/balances.ts';

/** The end of the hash chain. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
  /** Time of the newest decision, Unix milliseconds; later decisions are never earlier. */
  readonly decidedAtMs: number;
}

/** What one batch changes. */
export interface StateChange {
  readonly merchants: readonly MerchantBalance[];
  readonly systems: readonly SystemBalance[];
  readonly references: readonly Reference[];
  /** Of the references, those that are certainly not in the table yet. */
  readonly newReferences: ReadonlySet<string>;
  readonly head: ChainHead;
}

/** Accounts in memory at most; above that the cache is emptied. About 200 bytes each. */
const cachedAccountsMax = 500_000;

/**
 * The writer's state in memory: a cache of what PostgreSQL holds or is about to commit. Dropping it costs a read.
 * It has every record with a shortfall, since any credit may have to pay into them; there are few.
 */
export class LedgerState {
  readonly #merchants = new Map<string, MerchantBalance>();
  readonly #loadedAccounts = new Set<string>();
  readonly #systems = new Map<string, SystemBalance>();
  readonly #shortfalls = new Map<string, Map<string, ShortReference>>();
  readonly #providers = new Set<string>();
  /** How often operators have let the chain go on after it had lost its end. */
  readonly incarnation: number;
  #head: ChainHead;

  constructor(
    head: ChainHead,
    systems: readonly SystemBalance[],
    shortfalls: readonly ShortReference[],
    incarnation = 0,
  ) {
    this.#head = head;
    this.incarnation = incarnation;
    for (const balance of systems) this.#systems.set(systemKey(balance.account, balance.currency), balance);
    for (const short of shortfalls) this.#keepShortfall(short);
  }

  get head(): ChainHead {
    return this.#head;
  }

  knowsProvider(id: string): boolean {
    return this.#providers.has(id);
  }

  /** Providers are registered and never removed, so what is known of them stays true. */
  rememberProviders(ids: readonly string[]): void {
    for (const id of ids) this.#providers.add(id);
  }

  knowsAccount(accountId: string): boolean {
    return this.#loadedAccounts.has(accountId);
  }

  /** Adds all balance rows of the accounts; an account without rows is known to be empty. */
  rememberAccounts(accountIds: readonly string[], balances: readonly MerchantBalance[]): void {
    for (const accountId of accountIds) this.#loadedAccounts.add(accountId);
    for (const balance of balances) this.#merchants.set(merchantKey(balance.accountId, balance.currency), balance);
  }

  /** True when it is time for `boundMemory`. */
  get full(): boolean {
    return this.#loadedAccounts.size > cachedAccountsMax;
  }

  /** To be called between batches only: the accounts of a batch must stay known until it is committed. */
  boundMemory(): void {
    if (!this.full) return;
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

  /** Records of the balance that have a shortfall. */
  shortfalls(accountId: string, currency: string): readonly ShortReference[] {
    if (this.#shortfalls.size === 0) return [];
    return [...(this.#shortfalls.get(merchantKey(accountId, currency))?.values() ?? [])];
  }

  /** Whether the record is among them. */
  owes({ accountId, currency, id }: ShortReference): boolean {
    if (this.#shortfalls.size === 0) return false;
    return this.#shortfalls.get(merchantKey(accountId, currency))?.has(id) ?? false;
  }

  /**
   * Applies what a batch changes before it is committed, so that the next batch can be decided during the commit.
   *
   * @returns undoes it; with several batches, to be called in reverse order
   */
  apply(change: StateChange): () => void {
    const head = this.#head;
    const merchants = change.merchants.map(
      (balance) => [merchantKey(balance.accountId, balance.currency), balance] as const,
    );
    const systems = change.systems.map((balance) => [systemKey(balance.account, balance.currency), balance] as const);
    const short = change.references.filter((reference) => isOrWasShort(reference, this));
    const rollBack = [putAll(this.#merchants, merchants), putAll(this.#systems, systems)];
    const waitingBefore = short.map((reference) => this.#keepShortfall(reference));
    this.#head = change.head;
    return () => {
      for (const undo of rollBack) undo();
      for (const before of waitingBefore.reverse()) this.#keepShortfall(before);
      this.#head = head;
    };
  }

  /** @returns the record as it was remembered before; without a shortfall when it was not */
  #keepShortfall(short: ShortReference): ShortReference {
    const key = merchantKey(short.accountId, short.currency);
    const waiting = this.#shortfalls.get(key) ?? new Map<string, ShortReference>();
    const before = waiting.get(short.id) ?? { ...short, shortfall: 0 };
    if (short.shortfall > 0) waiting.set(short.id, short);
    else waiting.delete(short.id);
    if (waiting.size > 0) this.#shortfalls.set(key, waiting);
    else this.#shortfalls.delete(key);
    return before;
  }
}

/** @returns puts back what was there before */
function putAll<Value>(map: Map<string, Value>, entries: readonly (readonly [string, Value])[]): () => void {
  const before = entries.map(([key]) => [key, map.get(key)] as const);
  for (const [key, value] of entries) map.set(key, value);
  return () => {
    for (const [key, value] of before) {
      if (value === undefined) map.delete(key);
      else map.set(key, value);
    }
  };
}

function isOrWasShort(reference: Reference, state: LedgerState): reference is ShortReference {
  return reference.kind !== 'deposit' && (reference.shortfall > 0 || state.owes(reference));
}
