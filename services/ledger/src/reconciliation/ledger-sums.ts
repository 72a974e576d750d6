import type { StoredLink } from '#src/chain/link.ts';

/** Findings listed in a report at most; their number is always reported. */
const findingsMax = 10;

/** The result of one check. */
export class Findings {
  readonly #texts: string[] = [];
  #count = 0;
  examined = 0;

  add(text: string): void {
    this.#count++;
    if (this.#texts.length < findingsMax) this.#texts.push(text);
  }

  get status(): 'OK' | 'DISCREPANCY' {
    return this.#count === 0 ? 'OK' : 'DISCREPANCY';
  }

  get texts(): string[] {
    const more = this.#count - this.#texts.length;
    return more > 0 ? [...this.#texts, `and ${more} more`] : [...this.#texts];
  }
}

/** Adds up every posting of a chain, and compares each decision with itself. */
export class LedgerSums {
  readonly sumToZero = new Findings();
  readonly entriesEqualPostings = new Findings();
  readonly #sums = new Map<string, number>();

  add(link: StoredLink): void {
    this.#addPostings(link);
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

  #addPostings(link: StoredLink): void {
    this.sumToZero.examined++;
    const perCurrency = new Map<string, number>();
    for (const [account, bucket, currency, amount] of link.postings) {
      const key = `${account} ${bucket} ${currency}`;
      this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
      perCurrency.set(currency, (perCurrency.get(currency) ?? 0) + amount);
    }
    for (const [currency, sum] of perCurrency) {
      if (sum !== 0) this.sumToZero.add(`result ${link.sequence}: postings add up to ${sum} ${currency}`);
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
    this.entriesEqualPostings.add(`result ${link.sequence}: entries are not its postings on available`);
  }
}
