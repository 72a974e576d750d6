import type { StoredLink } from '#src/chain/link.ts';
import { BalancesHash, type KeptBalance } from '#src/chapters/kept-balances.ts';
import { Findings } from '#src/reconciliation/findings.ts';

/** Of the names of merchants' accounts; ours have none. */
const merchantPrefix = 'acc_';

/** Adds up every posting of a chain, and compares each decision with itself. */
export class LedgerSums {
  readonly sumToZero = new Findings();
  readonly entriesEqualPostings = new Findings();
  /** Entries of the links that were added. */
  entryCount = 0;
  readonly #sums = new Map<string, number>();
  readonly #entries = new Map<string, number>();

  /** Begins with what the balances were before the first link that is added. */
  begin(rows: readonly KeptBalance[]): void {
    for (const { account, currency, available, pending, blocked, entries } of rows) {
      const isMerchant = account.startsWith(merchantPrefix);
      this.#sums.set(`${account} ${isMerchant ? 'available' : 'system'} ${currency}`, available);
      if (!isMerchant) continue;
      this.#sums.set(`${account} pending ${currency}`, pending);
      this.#sums.set(`${account} blocked ${currency}`, blocked);
      this.#entries.set(`${account} ${currency}`, entries);
    }
  }

  /** Forgets what it has begun with. */
  clear(): void {
    this.#sums.clear();
    this.#entries.clear();
  }

  add(link: StoredLink): void {
    this.#addPostings(link);
    this.#countEntries(link);
    this.#compareEntries(link);
  }

  /** Sum of all postings of one account and bucket, in minor units. */
  sumOf(account: string, bucket: string, currency: string): number {
    return this.#sums.get(`${account} ${bucket} ${currency}`) ?? 0;
  }

  /** Accounts, buckets and currencies with postings; the ones taken by `sumOf` are not removed. */
  keys(): string[] {
    return [...this.#sums].filter(([, sum]) => sum !== 0).map(([key]) => key);
  }

  /** The hash of what the balances are by these sums, as a chapter has it. */
  balancesHash(): Buffer {
    const names = new Set([...this.#entries.keys(), ...this.keys().map((key) => key.replace(/ \S+ /, ' '))]);
    const hash = new BalancesHash();
    const rows = [...names].map((name) => {
      const [account = '', currency = ''] = name.split(' ');
      const sum = (bucket: string) => this.sumOf(account, bucket, currency);
      const available = account.startsWith(merchantPrefix) ? sum('available') : sum('system');
      const entries = this.#entries.get(name) ?? 0;
      return { account, currency, available, pending: sum('pending'), blocked: sum('blocked'), entries };
    });
    // Names have ASCII characters alone, and a space is before each of them: they sort as their rows do in PostgreSQL.
    rows.sort((one, other) => (`${one.account} ${one.currency}` < `${other.account} ${other.currency}` ? -1 : 1));
    hash.add(rows);
    return hash.digest();
  }

  #addPostings(link: StoredLink): void {
    this.sumToZero.examined++;
    const perCurrency = new Map<string, number>();
    for (const [account, bucket, currency, amount] of link.postings) {
      const key = `${account} ${bucket} ${currency}`;
      this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
      perCurrency.set(currency, (perCurrency.get(currency) ?? 0) + amount);
    }
    for (const [currency, sum] of perCurrency) {
      if (sum === 0) continue;
      const about = { kind: 'postings_not_zero', currency, expected: 0, found: sum };
      this.sumToZero.add(`result ${link.sequence}: postings add up to ${sum} ${currency}`, about);
    }
  }

  #countEntries(link: StoredLink): void {
    this.entryCount += link.entries.length;
    for (const [, account, currency] of link.entries) {
      const name = `${account} ${currency}`;
      this.#entries.set(name, (this.#entries.get(name) ?? 0) + 1);
    }
  }

  /** Each posting on `available` has its entry, in the same order, and there are no others. */
  #compareEntries(link: StoredLink): void {
    this.entriesEqualPostings.examined++;
    const posted = link.postings
      .filter(([, bucket]) => bucket === 'available')
      .map(([account, , currency, amount]) => `${account} ${currency} ${amount}`);
    const entered = link.entries.map(([, account, currency, , , amount]) => `${account} ${currency} ${amount}`);
    if (posted.join() === entered.join()) return;
    const [first] = link.entries;
    const about = first ? { entryId: first[0], accountId: first[1], recordId: first[7] } : {};
    this.entriesEqualPostings.add(`result ${link.sequence}: entries are not its postings on available`, {
      ...{ kind: 'entries_differ', ...about },
    });
  }
}
