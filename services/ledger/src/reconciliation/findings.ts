/** Findings listed in a report at most; their number is always reported. */
const findingsMax = 10;
/** Findings of one check that are kept one by one. */
const keptMax = 1_000;

/** What a finding is about, as far as it is known. */
export interface FindingAbout {
  /** What is wrong: `balance_differs`. */
  readonly kind: string;
  /** Of a deposit, payout, refund or dispute. */
  readonly recordId?: string;
  readonly entryId?: string;
  readonly accountId?: string;
  readonly provider?: string;
  readonly currency?: string;
  /** What follows from the rows, and what is there instead; amounts in minor units. */
  readonly expected?: string | number;
  readonly found?: string | number;
}

export interface Finding extends FindingAbout {
  readonly text: string;
}

/** The result of one check. */
export class Findings {
  readonly #kept: Finding[] = [];
  #count = 0;
  examined = 0;

  add(text: string, about: FindingAbout): void {
    this.#count++;
    if (this.#kept.length < keptMax) this.#kept.push({ text, ...about });
  }

  get status(): 'OK' | 'DISCREPANCY' {
    return this.#count === 0 ? 'OK' : 'DISCREPANCY';
  }

  /** The first ones, in words, and how many more there are. */
  get texts(): string[] {
    const first = this.#kept.slice(0, findingsMax).map(({ text }) => text);
    const more = this.#count - first.length;
    return more > 0 ? [...first, `and ${more} more`] : first;
  }

  /** One by one, as many as are kept. */
  get kept(): readonly Finding[] {
    return this.#kept;
  }
}

/** What a finding about an account of ours, or of a merchant, names: merchants' have ids. */
export function aboutAccount(account: string, currency: string) {
  const [, provider] = /^(?:provider|treasury):(.+)$/.exec(account) ?? [];
  if (provider !== undefined) return { provider, currency };
  return account.startsWith('acc_') ? { accountId: account, currency } : { currency };
}
